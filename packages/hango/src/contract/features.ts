/** Features: passed through checks when the implementation has them, absent when it has not. */
import type { CallOptions, Features, FileInfo, ListOptions, StorageImplementation } from "../storage.ts";
import { callImplementation } from "./call.ts";
import { brokenRule, checkInfo, checkOrdered, checkPath, isAsked, withSafeSkip } from "./check-answers.ts";
import { checkEvent } from "./check-event.ts";
import { checkMutations } from "./check-mutations.ts";
import { checkCall, checkListOptions, checkQuery } from "./check-options.ts";

export function defineFeatures(implementation: StorageImplementation): Features {
  return {
    ...(implementation.search === undefined ? {} : { search: defineSearch(implementation.name, implementation.search) }),
    ...(implementation.apply === undefined ? {} : { apply: defineApply(implementation) }),
    ...(implementation.record === undefined ? {} : { record: defineRecord(implementation) }),
    ...(implementation.close === undefined ? {} : { close: defineClose(implementation) }),
  };
}

function defineSearch(storage: string, search: NonNullable<Features["search"]>): NonNullable<Features["search"]> {
  const op = "search";
  return {
    syntax: search.syntax,
    async paths(query: string, options: ListOptions = {}): Promise<readonly string[]> {
      checkQuery(query);
      const asked = withSafeSkip(checkListOptions(options), options.prefix ?? "");
      const nameOf = (path: string): string => checkPath(storage, op, path);
      return callImplementation({ storage, op, path: asked.prefix, signal: asked.signal }, async () =>
        checkOrdered(await search.paths(query, asked), { nameOf, keep: (path) => isAsked(path, asked), limit: asked.limit, storage, op }),
      );
    },
  };
}

function defineApply(implementation: StorageImplementation): NonNullable<Features["apply"]> {
  const op = "apply";
  return async (mutations, options: CallOptions = {}): Promise<readonly FileInfo[]> => {
    checkCall(options);
    const { signal } = options;
    signal?.throwIfAborted();
    const checked = checkMutations(mutations);
    if (checked.length === 0) return [];
    const written = checked.filter(({ kind }) => kind !== "delete");
    return callImplementation({ storage: implementation.name, op, signal }, async () => {
      const infos = (await implementation.apply?.(checked, options)) ?? [];
      if (infos.length !== written.length) brokenRule(implementation.name, op, "it answers one info for each file created or modified");
      return infos.map((info, index) => checkInfo(implementation.name, op, info, written[index]?.path));
    });
  };
}

function defineRecord(implementation: StorageImplementation): NonNullable<Features["record"]> {
  return async (event, options: CallOptions = {}): Promise<void> => {
    checkCall(options);
    const checked = checkEvent(event);
    const call = { storage: implementation.name, op: "record", path: checked.path, signal: options.signal, foreign: "unavailable" } as const;
    await callImplementation(call, async () => implementation.record?.(checked, options));
  };
}

function defineClose(implementation: StorageImplementation): NonNullable<Features["close"]> {
  return () => callImplementation({ storage: implementation.name, op: "close" }, async () => implementation.close?.());
}
