/** Whether a change comes from our own page. A key in a header proves itself; a cookie goes along with whatever page sends the request. */

/** True when the request may change something: it carries its own key, or the browser says that our own page sent it. */
export function isSameOrigin(request: Request): boolean {
  // A browser sends a password of its own accord (Basic), but never a bearer's key.
  if (/^bearer /i.test(request.headers.get("authorization") ?? "")) return true;
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  if (origin !== null) return hostOf(origin) === (request.headers.get("host") ?? hostOf(request.url));
  // A browser names the origin of every change it sends for another page; without a cookie there is nothing to abuse.
  return !request.headers.has("cookie") && !request.headers.has("authorization");
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}
