import { Command, InvalidArgumentError, Option } from "commander";

interface AgentCommandOptions {
  readonly dir?: string;
  readonly db?: string;
  readonly schema?: string;
  readonly tenant: string;
  readonly agent: string;
  readonly session?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly exclude: readonly string[];
  readonly ignore: boolean;
  readonly acceptLinkRaces?: true;
  readonly maxSteps: number;
  readonly timeout: number;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly patch?: string;
}

const AFTER = `
OTEL_EXPORTER_OTLP_ENDPOINT sends what the agent did, never content, to an OpenTelemetry collector.

Examples:
  OPENAI_API_KEY=… hango agent --model openai/gpt-5 "rename foo to bar"
  AI_GATEWAY_API_KEY=… hango agent --dir ../site --model anthropic/claude-sonnet-4.5 "fix the broken links" --patch links.patch
  hango agent --base-url http://localhost:11434/v1 --model qwen3 "write a README" --dry-run
  hango agent --db postgres://localhost/app --agent researcher --model openai/gpt-5 "tidy the notes"`;

/** Name and spelling. */
const ONLY_WITH_DATABASE = [
  ["schema", "--schema"],
  ["tenant", "--tenant"],
  ["agent", "--agent"],
  ["session", "--session"],
] as const;
const ONLY_WITH_DIRECTORY = [
  ["ignore", "--no-ignore"],
  ["acceptLinkRaces", "--accept-link-races"],
] as const;

/** `hango agent` */
export function agentCommand(): Command {
  return new Command("agent")
    .description("Let a model work on a directory: you see its changes as one diff, and nothing is written before you say yes.")
    .argument("<task>", "what to do, in your words")
    .option("--dir <directory>", "the directory to work on (default: the current one)")
    .addOption(new Option("--model <provider/name>", "the model; openai/… takes OPENAI_API_KEY, every other one AI_GATEWAY_API_KEY (or HANGO_MODEL)"))
    .option("--base-url <url>", "an OpenAI-compatible server; --model is then its own name for the model, HANGO_MODEL_API_KEY its key if it needs one")
    .addOption(
      new Option("--exclude <path>", "a path that the agent neither sees nor changes, such as /secrets; repeatable").argParser(collect).default([], "none"),
    )
    .option("--no-ignore", "show the agent also what .gitignore names and every node_modules")
    .option("--accept-link-races", "on macOS and Windows: work on a directory in which no other program swaps links, which could lead the agent outside of it")
    .option("--max-steps <n>", "the most steps the model may take", wholeNumber, 50)
    .option("--timeout <seconds>", "the longest silence of the model", wholeNumber, 300)
    .addOption(new Option("-y, --yes", "apply the changes of a run that finishes, without asking").conflicts("dryRun"))
    .option("--dry-run", "show the changes and apply nothing")
    .option("--patch <file>", "write the changes for git apply, and apply nothing unless --yes is given")
    .option("--db <url>", "work on a database instead: postgres://user@host/database (its password may stand in PGPASSWORD), or pglite:./directory")
    .addOption(new Option("--schema <name>", 'with --db: where the tables are (default: "hango")').env("HANGO_SCHEMA"))
    .addOption(new Option("--tenant <id>", "with --db: the tenant; a name or a UUID").env("HANGO_TENANT").default("default"))
    .addOption(new Option("--agent <id>", "with --db: the agent whose files they are; a name or a UUID").env("HANGO_AGENT").default("default"))
    .option("--session <id>", "with --db: go on in this session, whose large results can then be read; a name or a UUID")
    .addHelpText("after", AFTER)
    .action(async (task: string, options: AgentCommandOptions, command: Command) => {
      const { runAgent } = await import("../agent/run-agent.ts");
      const { dir, db, schema, tenant, agent, session, exclude, ignore, maxSteps, timeout, model, baseUrl, patch } = options;
      if (db !== undefined && dir !== undefined) command.error("error: --dir and --db name two places; give one of them");
      if (dir === "") command.error("error: --dir is empty; leave it out for the current directory");
      const lost = (db === undefined ? ONLY_WITH_DATABASE : ONLY_WITH_DIRECTORY).find(([name]) => command.getOptionValueSource(name) === "cli");
      if (lost !== undefined)
        command.error(`error: ${lost[1]} belongs to ${db === undefined ? "a database; name it with --db" : "a directory, and --db names none"}`);
      const store = { tenant, agent, ...(schema === undefined ? {} : { schema }), ...(session === undefined ? {} : { session }) };
      process.exitCode = await runAgent({
        task,
        on: db === undefined ? { directory: dir ?? ".", ignore, acceptLinkRaces: options.acceptLinkRaces === true } : { store: { db, ...store } },
        exclude,
        maxSteps,
        timeoutMs: timeout * 1000,
        yes: options.yes === true,
        dryRun: options.dryRun === true,
        ...(model === undefined ? {} : { model }),
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(patch === undefined ? {} : { patch }),
      });
    });
}

function collect(path: string, before: readonly string[]): readonly string[] {
  if (path.includes("*") || /^\/*$/.test(path)) throw new InvalidArgumentError("It must be a path such as /secrets; a pattern, or nothing, can't be excluded.");
  return [...before, path.startsWith("/") ? path : `/${path}`];
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d{1,5}$/.test(text) || value < 1) throw new InvalidArgumentError("It must be a whole number of 1 or more, at most 99999.");
  return value;
}
