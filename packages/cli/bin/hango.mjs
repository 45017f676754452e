#!/usr/bin/env node
// Plain JavaScript that an old Node still parses, so that it can say what is wrong.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`hango needs Node 22.18 or newer; this is ${process.version}. Install a newer Node (https://nodejs.org) and run it again.\n`);
  process.exitCode = 1;
} else {
  await import("../dist/main.mjs");
}
