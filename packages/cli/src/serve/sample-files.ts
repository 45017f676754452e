/** What the sample agent has: one file of each kind that a person should have seen. */
export const sampleFiles: ReadonlyMap<string, string> = new Map([
  [
    "README.md",
    `# The sample agent

These files were made on the first start. Look at them over HTTP, with the key that was shown:

    curl -H "Authorization: Bearer $HANGO_KEY" "$HANGO_URL/v1/agents"

- /notes/plan.md is an ordinary file: an agent writes it, a person reads it.
- /memories/AGENTS.md is read into every prompt: a person with the role owner or admin writes it, an agent may not.
- /skills/weekly-report/SKILL.md is a skill, with the same rule.

Delete the agent when you have seen enough: hango agent delete default
`,
  ],
  ["memories/AGENTS.md", "# What to remember\n\n- Reports go to /reports, one file a week.\n- Amounts are in euros, with two decimals.\n"],
  ["notes/plan.md", "# Plan\n\n1. Read last week's report.\n2. Compare it with the figures in /data/orders.csv.\n3. Write the new one.\n"],
  ["data/orders.csv", "day,orders,amount\n2026-03-02,14,1204.50\n2026-03-03,9,880.00\n2026-03-04,21,1790.25\n"],
  [
    "skills/weekly-report/SKILL.md",
    "---\nname: weekly-report\ndescription: Writes the weekly report from the orders.\n---\n\nSum the orders of the week by day, name the best day, and keep the report under 200 words.\n",
  ],
]);
