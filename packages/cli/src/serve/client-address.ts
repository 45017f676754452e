/** Where a request comes from: the socket, or what the proxies before this server say of it. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/**
 * With n trusted proxies, n steps back from the socket: each of them appends the address that it saw, and whatever stands before those is the client's own invention.
 * Limits: a request with fewer entries, or with one there that is no address, counts for the nearest one that is believed.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, "headers"> & { readonly socket: { readonly remoteAddress?: string | undefined } },
  trustedProxies: number,
): string {
  let address = socket.remoteAddress ?? "";
  if (trustedProxies === 0) return address;
  const given = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  for (const entry of given.slice(-trustedProxies).toReversed()) {
    const next = withoutPort(entry.trim());
    if (isIP(next) === 0) break;
    address = next;
  }
  return address;
}

/** Some balancers write 203.0.113.7:50412 or [2001:db8::7]:50412. */
function withoutPort(entry: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}
