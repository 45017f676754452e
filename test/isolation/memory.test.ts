import { expect, it } from "vitest";
import { defineStorage } from "../../packages/hango/src/contract/define-storage.ts";
import { faultyStorage } from "../../packages/hango/src/layers/faulty.ts";
import { withoutAccelerators } from "../../packages/hango/src/testing/without-accelerators.ts";
import { memorySubject } from "../model/subjects.ts";
import { bindIsolation } from "./bind.ts";
import { makeNoise } from "./noise.ts";
import { observe } from "./observe.ts";

const open = async (): Promise<ReturnType<typeof memorySubject>> => memorySubject();

bindIsolation({ name: "memory", open, calls: 200, stride: 13 });
bindIsolation({
  name: "memory without accelerators, through a layer",
  open,
  through: (storage) => faultyStorage(withoutAccelerators(storage), { on: "any", call: Number.MAX_SAFE_INTEGER }),
  calls: 100,
  stride: 29,
});

it('tells a storage that counts hidden files towards a limit, as in "truncated after 0 paths"', async () => {
  const inner = memorySubject().rooms("agent")[0].storage;
  const leaky = defineStorage({
    name: "leaky",
    list: (options) => inner.list(options),
    read: (path, options) => inner.read(path, options),
    write: (path, bytes, options) => inner.write(path, bytes, options),
    delete: (path, options) => inner.delete(path, options),
    // The filters come last, by the contract's own hand: too late for the limit.
    glob: ({ filters: _late, ...query }) => inner.glob(query),
  });
  const ask = [{ door: "one", op: "glob", pattern: "**", path: "", limit: 2 }] as const;
  const seen = async (): Promise<readonly string[]> => observe(ask, { storage: leaky, limits: {} });
  await inner.write("z", new Uint8Array());
  const alone = await seen();
  await makeNoise(inner, memorySubject().rooms("agent")[0].storage, 30);
  expect(await seen()).not.toEqual(alone);
});
