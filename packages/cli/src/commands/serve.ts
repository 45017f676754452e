import { Command, Option } from "commander";
import { wholeNumber } from "../size.ts";
import { type DatabaseCommandOptions, withDatabaseOptions } from "../store.ts";

interface ServeCommandOptions extends DatabaseCommandOptions {
  readonly host?: string;
  readonly port?: number;
  readonly allowUnfenced?: boolean;
}

/** `hango serve` */
export function serveCommand(): Command {
  return withDatabaseOptions(new Command("serve").description("Serve the files of every tenant's agents over HTTP; the first start makes a key."))
    .addOption(new Option("--host <address>", "the address to listen on (default: 127.0.0.1, this machine alone)"))
    .addOption(new Option("--port <n>", "the port to listen on; 0 is any free one (default: 4264)").argParser(wholeNumber(0, 65_535)))
    .option("--allow-unfenced", "serve although the database's own role passes row-level security by")
    .addHelpText(
      "after",
      "\nIt ends with Ctrl-C or SIGTERM, after the requests under way. Logs are JSON lines on stderr.\nMore is set by variables: HOST, PORT, HANGO_JWT_ISSUER, HANGO_PRUNE_AUDIT and others; docs/guides/production.md lists them." +
        "\n\nExamples:\n  hango serve\n  hango serve --port 8080\n  hango serve --host 0.0.0.0 --db postgres://hango_app@db.example.com/app",
    )
    .action(async ({ host, port, allowUnfenced, ...database }: ServeCommandOptions) => {
      const { parseSettings } = await import("../serve/settings.ts");
      const settings = parseSettings(process.env, {
        ...(host === undefined ? {} : { host }),
        ...(port === undefined ? {} : { port: String(port) }),
        ...(allowUnfenced === undefined ? {} : { allowUnfenced }),
      });
      const { parseTelemetrySettings } = await import("../telemetry/settings.ts");
      const telemetry = parseTelemetrySettings(process.env);
      const { runServe } = await import("../serve/run-serve.ts");
      await runServe(database, settings, telemetry);
    });
}
