import { expect, it } from "vitest";
import { foldName } from "./fold-name.ts";

it.each([
  [".env", ".ENV"],
  ["straße", "STRASSE"],
  // The capital ẞ is its own upper case: /STRAẞE read what was left out as /straße.
  ["straße", "STRAẞE"],
  ["ſecret", "Secret"],
  ["Schlu\u0308ssel", "SCHLÜSSEL"],
  ["σ", "ς"],
  [".env", ".e\u200cnv"],
  // A folding ext4 ignores more than HFS+ does: /.e\u00adnv, with a soft hyphen in it, read an ignored .env.
  [".env", ".e\u00adnv"],
  [".env", ".env\ufe0f"],
  [".env", "\u2060.env"],
])("%j and %j are one name on some disk", (one, other) => {
  expect(foldName(one)).toBe(foldName(other));
});

it.each([
  [".env", "env"],
  ["a-b", "ab"],
  ["a b", "ab"],
  ["ö", "o"],
])("%j and %j are two", (one, other) => {
  expect(foldName(one)).not.toBe(foldName(other));
});

it("folds every character that has other cases or forms to the same as its other cases and forms", () => {
  const astray: string[] = [];
  for (let code = 0x20; code < 0x30000; code++) {
    const name = String.fromCodePoint(code);
    if (!/\p{Changes_When_NFKC_Casefolded}/u.test(name)) continue;
    const folded = foldName(name);
    for (const other of [name.toUpperCase(), name.toLowerCase(), name.normalize("NFC"), name.normalize("NFD"), folded])
      if (foldName(other) !== folded) astray.push(`${name} ${other}`);
  }
  expect(astray).toEqual([]);
});
