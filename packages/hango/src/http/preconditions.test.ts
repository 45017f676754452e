import { describe, expect, it } from "vitest";
import { matchesStrongly, matchesWeakly, parseTags, soleVersion } from "./preconditions.ts";
import { parseRange } from "./range.ts";
import { shownType } from "./content-headers.ts";
import { isSameOrigin } from "./same-origin.ts";

const tags = (header: string): NonNullable<ReturnType<typeof parseTags>> => parseTags(header, "If-Match") ?? [];

describe("tags", () => {
  it.each([
    ["*", true, true, undefined],
    ['"v1"', true, true, "v1"],
    [' "v1" ', true, true, "v1"],
    ['W/"v1"', false, true, undefined],
    ['"v2", "v1"', true, true, undefined],
    ['"v2","v1"', true, true, undefined],
    [', "v2", , "v1",', true, true, undefined],
    ['"v2"', false, false, "v2"],
    ['"absent"', false, false, undefined],
    ['""', false, false, undefined],
    ['"V1"', false, false, "V1"],
  ])("%s against v1: strong %s, weak %s, alone %s", (header, strong, weak, sole) => {
    const parsed = tags(header);
    expect([matchesStrongly(parsed, "v1"), matchesWeakly(parsed, "v1"), soleVersion(parsed)]).toEqual([strong, weak, sole]);
    expect([matchesStrongly(parsed, undefined), matchesWeakly(parsed, undefined)]).toEqual([false, false]);
  });

  it.each(["", " ", "v1", '"v1', 'w/"v1"', '"v1" "v2"', "*, *", '*,"v1"', `"${"a".repeat(5000)}"`])("%j is refused", (header) => {
    expect(() => tags(header)).toThrow(/If-Match/);
  });

  it("are absent when there is no header", () => expect(parseTags(null, "If-Match")).toBeUndefined());
});

describe("a range", () => {
  it.each([
    ["bytes=0-0", 1, { kind: "part", start: 0, end: 1 }],
    ["bytes=0-", 0, { kind: "outside" }],
    ["bytes=-1", 0, { kind: "outside" }],
    ["bytes=-0", 5, { kind: "outside" }],
    ["bytes=-9", 5, { kind: "part", start: 0, end: 5 }],
    ["bytes=4-4", 5, { kind: "part", start: 4, end: 5 }],
    ["bytes=5-5", 5, { kind: "outside" }],
    ["bytes=-", 5, { kind: "whole" }],
    ["bytes=1-0", 5, { kind: "whole" }],
    ["bytes=0-1,3-4", 5, { kind: "whole" }],
    ["bytes=99999999999999999999-", 5, { kind: "whole" }],
    [null, 5, { kind: "whole" }],
  ] as const)("%s of %i bytes", (header, size, range) => expect(parseRange(header, size)).toEqual(range));
});

describe("a type as it is shown", () => {
  it.each([
    ["text/plain", "text/plain; charset=utf-8", true],
    ["TEXT/Markdown; charset=utf-7", "text/markdown; charset=utf-8", true],
    ["text/x-python", "text/plain; charset=utf-8", true],
    ["image/png", "image/png", true],
    ["text/html", "text/plain; charset=utf-8", false],
    ["text/html;charset=x", "text/plain; charset=utf-8", false],
    [" text/html", "text/plain; charset=utf-8", false],
    ["image/svg+xml", "text/plain; charset=utf-8", false],
    ["application/xhtml+xml", "text/plain; charset=utf-8", false],
    ["application/xml", "text/plain; charset=utf-8", false],
    ["text/javascript", "text/plain; charset=utf-8", false],
    ["application/javascript", "application/octet-stream", false],
    ["application/pdf", "application/octet-stream", false],
    ["text/html\ttext/plain", "application/octet-stream", false],
    ["multipart/x-mixed-replace", "application/octet-stream", false],
    ["", "application/octet-stream", false],
  ])("%j is %s", (declared, contentType, inline) => expect(shownType(declared)).toEqual({ contentType, inline }));
});

describe("a change by cookie", () => {
  it.each([
    [{ cookie: "a=b", origin: "http://host" }, true],
    [{ cookie: "a=b", origin: "https://host" }, true],
    [{ cookie: "a=b", origin: "http://host.evil" }, false],
    [{ cookie: "a=b", origin: "null" }, false],
    [{ cookie: "a=b" }, false],
    [{ cookie: "a=b", "sec-fetch-site": "same-origin" }, true],
    [{ cookie: "a=b", "sec-fetch-site": "same-site", origin: "http://host" }, false],
    [{ cookie: "a=b", "sec-fetch-site": "cross-site" }, false],
    [{ cookie: "a=b", "sec-fetch-site": "none" }, false],
    [{ authorization: "Bearer key", origin: "http://evil" }, true],
    [{ authorization: "Basic eDp5", origin: "http://evil" }, false],
    [{ authorization: "Basic eDp5" }, false],
    [{}, true],
  ] as const)("with %j is let through: %s", (headers, may) => {
    // A Request of a page may not set these; a server's may.
    const request = { url: "http://host/v1", headers: new Headers({ ...headers, host: "host" }) } as Request;
    expect(isSameOrigin(request)).toBe(may);
  });
});
