/** COPY … FROM STDIN as a query of `pg`: its bytes follow as soon as the server asks for them. */
import pg from "pg";
import type { PoolClient, QueryAnswer, QueryConfig } from "./pg-pool.ts";

/** Units: bytes of one message; small, because `pg` copies each into a buffer of its own. */
const PIECE_BYTES = 64 * 1024;

/** What is used of a query and a connection of `pg`; its types leave this out. */
interface CopyQuery {
  handleCopyInResponse: (connection: CopyConnection) => void;
}
interface CopyConnection {
  readonly sendCopyFromChunk: (piece: Uint8Array) => void;
  readonly endCopyFrom: () => void;
}
type MakeQuery = new (config: { readonly text: string }, callback: (error: Error | null, answer: QueryAnswer) => void) => CopyQuery;

/** Errors: the server's, after which it takes no more of the bytes. */
export function copyIn(client: PoolClient, text: string, bytes: Uint8Array): Promise<QueryAnswer> {
  // A pipelined client only takes queries of its own class, and a user's pool may come from another copy of `pg`.
  const { Query = pg.Query } = client.constructor as { readonly Query?: unknown };
  return new Promise((resolve, reject) => {
    const query = new (Query as MakeQuery)({ text }, (error, answer) => (error === null || error === undefined ? resolve(answer) : reject(error)));
    query.handleCopyInResponse = (connection) => {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) connection.sendCopyFromChunk(bytes.subarray(at, at + PIECE_BYTES));
      connection.endCopyFrom();
    };
    void client.query(query as unknown as QueryConfig);
  });
}
