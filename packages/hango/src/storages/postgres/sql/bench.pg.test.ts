import { expect, it } from "vitest";
import { parsePattern } from "../../../text/pattern/pattern.ts";
import { bytesOf, openSubject } from "./subject.test-support.ts";
it("bench", async () => {
  const subject = await openSubject("postgres");
  for (const n of [10, 63, 1000, 4000]) {
    const times: number[] = [];
    for (let i = 0; i < 9; i++) {
      const storage = subject.storage.scope(subject.namespace());
      await storage.apply!(Array.from({ length: n }, (_, at) => ({ kind: "create", path: `d${at % 10}/e/f${at}`, bytes: bytesOf("x".repeat(100)) }) as const));
      const start = performance.now();
      await storage.apply!(Array.from({ length: n }, (_, at) => (at % 4 === 0 ? ({ kind: "delete", path: `d${at % 10}/e/f${at}` } as const) : at % 4 === 1 ? ({ kind: "create", path: `g${at % 10}/e/f${at}`, bytes: bytesOf("new") } as const): ({ kind: "modify", path: `d${at % 10}/e/f${at}`, bytes: bytesOf("") } as const))));
      times.push(Math.round(performance.now() - start));
    }
    console.log("apply", n, times.join(" "));
  }
  const ns = subject.namespace();
  const storage = subject.storage.scope(ns);
  console.log("fill"); const words = Array.from({ length: 5000 }, (_, i) => `word${(i * 7919) % 9973}`);
  for (let c = 0; c < 20; c++)
    await storage.apply!(Array.from({ length: 1000 }, (_, at) => { const k = c * 1000 + at; return { kind: "create", path: `d${k % 50}/s${k % 7}/f${k}.ts`, bytes: bytesOf(Array.from({ length: 120 }, (_, l) => Array.from({length: 6}, (_, w) => words[(k * 31 + l * 17 + w * 7) % 5000]).join(" ")).join("\n")) } as const; }));
  await subject.query(`analyze ${'"hango".agent_files'}`);
  console.log(await subject.storage.usage(ns));
  const filters = [{ hide: [], hideAnyCase: ["large_tool_results", "large_tool_results/", "conversation_history", "conversation_history/"], show: ["large_tool_results/5c0b7ad4-0000-4000-8000-000000000001/"] }];
  for (const q of ["select count(*) from hango.agent_files where position('zzzqqq' in content) > 0", "select count(*) from hango.agent_files where content ~ '(?n)[xyz]{9}'", "select count(*) from hango.agent_files where octet_length(content || '') > 1000000","select count(*) from hango.agent_files where lower(path collate \"C\") ^@ any(array['/large_tool_results/','/conversation_history/'])"]) { for (let i=0;i<3;i++){ const s = performance.now(); await subject.query(q); console.log(q, Math.round(performance.now()-s)); } }
  for (const [name, p] of [["rare literal none", "zzzqqq"], ["common", "word1"], ["regex no literal no hit", "[xyz]{9}"], ["regex lit", "word99\\d+ word"]] as const) {
    const t: number[] = [];
    let n = 0;
    for (let i = 0; i < 8; i++) { const s = performance.now(); n = (await storage.grep({ pattern: parsePattern(p), root: "", context: 0, limit: 1001, filters, onSkip: () => undefined }).catch(() => [])).length; t.push(Math.round(performance.now() - s)); }
    console.log(name, n, t.join(" "));
  }
  for (const op of ["ls", "read", "write", "create"] as const) {
    const t: number[] = [];
    for (let i = 0; i < 30; i++) { const s = performance.now(); if (op === "ls") await storage.ls("", { filters, limit: 1001 }); else if (op === "read") await storage.read("d0/s0/f0.ts"); else if (op === "write") await storage.write("d0/s0/f0.ts", bytesOf("x" + i)); else await storage.write(`new/${i}`, bytesOf("x"), { ifVersion: "absent" }); t.push(performance.now() - s); }
    console.log(op, t.toSorted((a, b) => a - b)[15]!.toFixed(2));
  }
  await subject.close();
  expect(1).toBe(1);
}, 300_000);
