/** The tool with the large answer: every text of the tree in one report, as a careless tool would return it. */
import { type Tool, jsonSchema, tool } from "ai";
import { type Storage, decodeText, placeOf } from "hango";

const MAX_REPORT_BYTES = 600 * 1024;
const MAX_FILE_BYTES = 64 * 1024;

export const fileHeader = (path: string): string => `==== /${path} ====`;

export interface Report {
  readonly tool: Tool<Record<string, never>, string>;
  /** A header in the middle of the report: what the agent then looks for. Empty until the tool ran. */
  readonly needle: () => string;
  readonly text: () => string;
}

export function projectReport(storage: Storage): Report {
  let text = "";
  let needle = "";
  const report = tool({
    description: "Returns the whole project as one text: every file, with a header line before each.",
    inputSchema: jsonSchema<Record<string, never>>({ type: "object", properties: {}, additionalProperties: false }),
    execute: async (_input, { abortSignal: signal }) => {
      const options = signal === undefined ? {} : { signal };
      const parts: string[] = [];
      const headers: string[] = [];
      let size = 0;
      for (const info of await storage.list(options)) {
        if (placeOf(info.path).kind === "machine" || info.sizeBytes > MAX_FILE_BYTES) continue;
        const content = decodeText((await storage.read(info.path, options)).bytes);
        if (content === undefined) continue;
        headers.push(fileHeader(info.path));
        parts.push(`${fileHeader(info.path)}\n${content}`);
        size += info.sizeBytes;
        if (size > MAX_REPORT_BYTES) break;
      }
      text = parts.join("\n");
      needle = headers[Math.floor(headers.length / 2)] ?? "";
      return text;
    },
  });
  return { tool: report, needle: () => needle, text: () => text };
}
