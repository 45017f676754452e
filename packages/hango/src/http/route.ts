/** A route is written once: its handler, its check of the query and its page of the OpenAPI document come from the same table. */
import { z } from "zod";
import { HangoError } from "../errors.ts";
import type { AgentCall, Call, SignedCall } from "./door.ts";
import { decodeQuery, type Target } from "./target.ts";

interface RouteFacts {
  readonly method: "get" | "put" | "post" | "delete";
  /** As OpenAPI writes it; `{path}` at the end stands for one or more segments. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  /** What the answers are, by status. */
  readonly answers: Readonly<Record<number, string>>;
  /** Media types of the answer; the default is JSON. */
  readonly produces?: readonly string[];
  /** Request headers that it acts on, and what each does. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly contentType: string; readonly schema: z.ZodType };
}

export type Route = RouteFacts &
  (
    | { readonly needs: "nobody"; readonly handle: (call: Call) => Promise<Response> }
    | { readonly needs: "principal"; readonly handle: (call: SignedCall) => Promise<Response> }
    | { readonly needs: "agent"; readonly handle: (call: AgentCall) => Promise<Response> }
  );

/** Segments before a file's path: v1, agents, the id, files. */
const FILE_PATH_AT = 4;

/** The agent's id as the client spelled it, and the segments of the file's path; both still encoded. */
export function agentSegment({ segments }: Target): string {
  return segments[2] ?? "";
}

export function fileSegments({ segments }: Target): readonly string[] {
  return segments.slice(FILE_PATH_AT);
}

/** Reads the query of a call. Errors: invalid_argument naming the parameter; an unknown one is never ignored. */
export function readQuery<Shape extends z.ZodRawShape>(call: Call, schema: z.ZodObject<Shape>): z.output<z.ZodObject<Shape>> {
  const parsed = schema.strict().safeParse(Object.fromEntries(decodeQuery(call.target.query)));
  if (parsed.success) return parsed.data as z.output<z.ZodObject<Shape>>;
  const [issue] = parsed.error.issues;
  const name = issue?.path.join(".") ?? "";
  const known = Object.keys(schema.shape).join(", ");
  const message =
    name === ""
      ? `The query has a parameter this address does not take. It takes ${known === "" ? "none" : known}.`
      : `The query's ${name}: ${issue?.message ?? "not valid"}.`;
  throw new HangoError("invalid_argument", message);
}

/** A whole number, as a query writes it. */
export function wholeParam(range: { readonly least: number; readonly most: number }): z.ZodPipe<z.ZodString, z.ZodTransform<number, string>> {
  return z
    .string()
    .regex(/^[0-9]{1,15}$/, "must be a whole number")
    .refine((text) => Number(text) >= range.least && Number(text) <= range.most, `must be a whole number from ${range.least} to ${range.most}`)
    .transform(Number);
}

/** true or false, as a query writes it. */
export function flagParam(): z.ZodPipe<z.ZodEnum<{ true: "true"; false: "false" }>, z.ZodTransform<boolean, "true" | "false">> {
  return z.enum(["true", "false"], "must be true or false").transform((text) => text === "true");
}

export const sessionParam: z.ZodOptional<z.ZodString> = z.string().optional();

export function jsonResponse(body: unknown, init: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {}): Response {
  return new Response(JSON.stringify(body), {
    status: init.status ?? 200,
    headers: {
      "content-type": "application/json",
      "cache-control": "private, no-store",
      vary: "Authorization, Cookie",
      "x-content-type-options": "nosniff",
      ...init.headers,
    },
  });
}

/** A page of rows and where the next one starts; one row more than asked for was read. */
export function pageOf<T>(rows: readonly T[], limit: number, cursorOf: (row: T) => string): { readonly rows: readonly T[]; readonly next?: string } {
  if (rows.length <= limit) return { rows };
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return last === undefined ? { rows: kept } : { rows: kept, next: cursorOf(last) };
}
