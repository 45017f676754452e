import { defineConfig, type UserConfig } from "tsdown";

const config: UserConfig = defineConfig({
  entry: ["src/main.ts"],
  format: "esm",
  target: "node22.18",
  dts: false,
  tsconfig: "../../tsconfig.json",
  logLevel: "warn",
});
export default config;
