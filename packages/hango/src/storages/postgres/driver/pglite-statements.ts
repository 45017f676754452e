/** Named statements on PGlite: each text is parsed and planned once, and statements that follow each other go to the engine in one call. */
import type { messages, PGlite, protocol } from "@electric-sql/pglite";
import { isChangedPlan } from "../errors.ts";
import type { Row, SqlValue, Statement } from "./driver.ts";

/** The engine keeps each with its plan, in memory that it does not give back. At the limit all are dropped and made again as they come. */
export const MAX_NAMED = 200;

/** What has been sent when plans are made anew for the first time; from then on each time it has doubled. */
const FIRST_REPLAN_BYTES = 64 * 1024;

/** "cannot drop active portal": what comes after the real error, or instead of it, when the engine failed half way, as on a full disk. */
const LOST_ERROR = "24000";

/** True for an error that may leave the engine damaged: one without a SQLSTATE, one that ends a server process, or a lost one. */
export function isDamage(error: unknown): boolean {
  const { severity, code } = error as { severity?: string; code?: string };
  return severity !== "ERROR" || code === LOST_ERROR;
}

/** True for an error that comes of a statement having been named before: its tables were changed, or it is gone. Run again, it is made anew. */
export function isStale(error: unknown): boolean {
  const failure = error as { readonly code?: string; readonly message?: string };
  return failure.code === "26000" || isChangedPlan(failure);
}

export interface StatementAnswer {
  /** "SELECT", "COMMIT", …: the first word of the command's tag. */
  readonly command: string;
  readonly rows: readonly Row[];
}

export interface PgliteStatements {
  /**
   * Runs them in order; the first that fails ends it. Whoever gives more than one begins and ends their transaction.
   * Errors: the engine's own, of which a stale one (`isStale`) does not come again; one without a SQLSTATE when the engine broke off its answer.
   */
  readonly run: (statements: readonly Statement[]) => Promise<readonly StatementAnswer[]>;
}

interface Named {
  readonly name: string;
  readonly parameterTypes: readonly number[];
  readonly columns: readonly { readonly name: string; readonly parse: (text: string) => unknown }[];
}

interface Bound {
  readonly named: Named;
  readonly message: Uint8Array;
}

type Message = messages.BackendMessage;

export function createPgliteStatements(db: PGlite, serialize: typeof protocol.serialize): PgliteStatements {
  const known = new Map<string, Named>();
  let made = 0;
  let sentBytes = 0;
  let replanBytes = FIRST_REPLAN_BYTES;

  /** One call to the engine, whatever it holds. Errors: what the engine answered; with several, the one that says that it is damaged. */
  async function send(parts: readonly Uint8Array[]): Promise<readonly Message[]> {
    const bytes = Buffer.concat([...parts, serialize.sync()]);
    sentBytes += bytes.length;
    const answer = await db.execProtocolStream(bytes, { throwOnError: false });
    const errors = answer.filter(isError);
    if (errors.length > 0) throw errors.find(isDamage) ?? errors[0];
    return answer;
  }

  async function prepare(text: string): Promise<Named> {
    if (known.size >= MAX_NAMED) await forget();
    const name = `h${++made}`;
    const answer = await send([serialize.parse({ name, text }), serialize.describe({ type: "S", name })]);
    const named: Named = {
      name,
      parameterTypes: answer.find(isParameters)?.dataTypeIDs ?? [],
      columns: (answer.find(isColumns)?.fields ?? []).map((field) => ({ name: field.name, parse: db.parsers[field.dataTypeID] ?? asText })),
    };
    known.set(text, named);
    return named;
  }

  /** By protocol messages, which a failed transaction takes too. */
  async function forget(): Promise<void> {
    const closing = [...known.values()].map(({ name }) => serialize.close({ type: "S", name }));
    known.clear();
    await send(closing);
  }

  /** Nothing here analyses tables by itself, as a server does, so a plan would never hear that its table has grown: one made for ten rows would read ten thousand. */
  async function replanGrown(): Promise<void> {
    if (sentBytes < replanBytes) return;
    replanBytes = sentBytes * 2;
    await forget();
  }

  function bind(named: Named, values: readonly SqlValue[]): Bound {
    const texts = values.map((value, at) => {
      if (value === null || value instanceof Uint8Array) return value;
      const type = named.parameterTypes[at];
      const write = type === undefined ? undefined : db.serializers[type];
      return write === undefined ? String(value) : write(value);
    });
    return { named, message: Buffer.concat([serialize.bind({ statement: named.name, values: texts }), serialize.execute()]) };
  }

  async function sendBound(bound: readonly Bound[]): Promise<readonly StatementAnswer[]> {
    if (bound.length === 0) return [];
    const answers = answersOf(await send(bound.map(({ message }) => message)), bound);
    if (answers.length < bound.length) throw new Error("PGlite broke off its answer");
    return answers;
  }

  /** What a COPY takes in stands in a device of the engine's own, since nothing can follow a statement. */
  async function copyIn(text: string, copy: Uint8Array): Promise<StatementAnswer> {
    sentBytes += copy.length;
    await db.query(text.replace(" from stdin", " from '/dev/blob'"), [], { blob: new Blob([copy as Uint8Array<ArrayBuffer>]) });
    return { command: "COPY", rows: [] };
  }

  async function inOrder(statements: readonly Statement[]): Promise<readonly StatementAnswer[]> {
    const answers: StatementAnswer[] = [];
    let waiting: Bound[] = [];
    const flush = async (): Promise<void> => {
      const bound = waiting;
      waiting = [];
      answers.push(...(await sendBound(bound)));
    };
    for (const { text, values, copy } of statements) {
      const named = copy === undefined ? known.get(text) : undefined;
      // What is not known yet may need a table that an earlier one of these makes.
      if (named === undefined) await flush();
      if (copy === undefined) waiting.push(bind(named ?? (await prepare(text)), values));
      else answers.push(await copyIn(text, copy));
    }
    await flush();
    return answers;
  }

  return {
    run: async (statements) => {
      await replanGrown();
      try {
        return await inOrder(statements);
      } catch (error) {
        if (isStale(error)) await forget();
        throw error;
      }
    },
  };
}

function answersOf(answer: readonly Message[], bound: readonly Bound[]): readonly StatementAnswer[] {
  const answers: StatementAnswer[] = [];
  let rows: Row[] = [];
  for (const message of answer) {
    if (isRow(message)) rows.push(rowOf(message, bound[answers.length]?.named.columns ?? []));
    else if (isEnd(message)) {
      answers.push({ command: "text" in message ? (String(message.text).split(" ", 1)[0] ?? "") : "", rows });
      rows = [];
    }
  }
  return answers;
}

function rowOf({ fields }: messages.DataRowMessage, columns: Named["columns"]): Row {
  const row: Record<string, unknown> = {};
  for (const [at, { name, parse }] of columns.entries()) {
    const text = fields[at];
    row[name] = text === null || text === undefined ? null : parse(text);
  }
  return row;
}

const asText = (text: string): string => text;

const isError = (message: Message): message is messages.DatabaseError => message.name === "error";
const isParameters = (message: Message): message is messages.ParameterDescriptionMessage => message.name === "parameterDescription";
const isColumns = (message: Message): message is messages.RowDescriptionMessage => message.name === "rowDescription";
const isRow = (message: Message): message is messages.DataRowMessage => message.name === "dataRow";
const isEnd = (message: Message): boolean => message.name === "commandComplete" || message.name === "emptyQuery";
