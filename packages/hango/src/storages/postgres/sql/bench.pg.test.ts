import { expect, it } from "vitest";
import { parsePattern } from "../../../text/pattern/pattern.ts";
import { storageOver } from "../postgres-storage.ts";
import type { Driver } from "../driver/driver.ts";
import { bytesOf, openSubject } from "./subject.test-support.ts";
it("bench", async () => {
  const subject = await openSubject("postgres", { maxConnections: 1 });
  const ns = subject.namespace();
  const storage = subject.storage.scope(ns);
  const explaining: Driver = { ...subject.driver, run: async (statements, { timeoutMs, ...options }) => {
    const last = statements.at(-1)!;
    const r = await subject.driver.run([...statements.slice(0, -1), { ...last, text: `explain (analyze) ${last.text}` }], options);
    console.log(r.rows.at(-1)!.map((x) => x["QUERY PLAN"]).join("\n"));
    throw new Error("x");
  } };
  const ex = storageOver(explaining).scope(ns);
  const words = Array.from({ length: 5000 }, (_, i) => `word${(i * 7919) % 9973}`);
  for (let c = 0; c < 20; c++)
    await storage.apply!(Array.from({ length: 1000 }, (_, at) => { const k = c * 1000 + at; return { kind: "create", path: `d${k % 50}/s${k % 7}/f${k}.ts`, bytes: bytesOf(Array.from({ length: 120 }, (_, l) => Array.from({length: 6}, (_, w) => words[(k * 31 + l * 17 + w * 7) % 5000]).join(" ")).join("\n")) } as const; }));
  await subject.query(`analyze ${'"hango".agent_files'}`);
  const filters = [{ hide: [], hideAnyCase: ["large_tool_results", "large_tool_results/", "conversation_history", "conversation_history/"], show: ["large_tool_results/5c0b7ad4-0000-4000-8000-000000000001/"] }];
  await subject.query("set max_parallel_workers_per_gather = 0");
  for (const q of ["select count(*) from hango.agent_files where position('zzzqqq' in content) > 0", "select count(*) from hango.agent_files where content ~ '(?n)[xyz]{9}'", "select count(*) from hango.agent_files where content ~ '(?n)[xyz]'","select jit_provider from (select current_setting('jit') || ' ' || current_setting('max_parallel_workers_per_gather') as jit_provider) x"]) { for (let i=0;i<3;i++){ const s = performance.now(); const r = await subject.query(q); console.log(q, Math.round(performance.now()-s), JSON.stringify(r)); } }
  await ex.grep({ pattern: parsePattern("[xyz]{9}"), root: "", context: 0, limit: 1001, filters, onSkip: () => undefined }).catch(() => []);
  await ex.grep({ pattern: parsePattern("[xyz]{9}"), root: "", context: 0, limit: 1001, onSkip: () => undefined }).catch(() => []);
  await ex.grep({ pattern: parsePattern("[xyz]{9}"), root: "", context: 0, limit: 1001 }).catch(() => []);
  await subject.close();
  expect(1).toBe(1);
}, 300_000);
