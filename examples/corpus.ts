// Made by `hango embed`. Make it again instead of changing it.

/** Files by path, for embeddedStorage. */
export const files: Readonly<Record<string, string | Uint8Array>> = {
  "faq.md": "# FAQ\n\nOpening hours: 9 to 5.\n",
  "prices.md": "# Prices\n\nA coffee is 3 euros.\n",
};
