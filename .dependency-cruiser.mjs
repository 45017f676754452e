import { importRules } from "./tools/import-rules.ts";

const { ruleSet, ...options } = importRules;
export default { ...ruleSet, options };
