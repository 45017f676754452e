import { Command } from "commander";
import { plain, print, printJson, printLine } from "../output.ts";
import { idOf } from "../store.ts";
import { allPages, columns, namespaceOf, type TenantOptions, withAgentOptions, withTenancy } from "../tenancy.ts";

interface SessionOptions extends TenantOptions {
  readonly agent: string;
}

interface CreateOptions extends SessionOptions {
  readonly createdBy: string;
}

/** `hango session` */
export function sessionCommand(): Command {
  return new Command("session")
    .description("Sessions of an agent: the runs whose machine files their creator may see.")
    .addHelpText(
      "after",
      "\nExamples:\n  hango session create monday --tenant acme --agent support-bot\n  hango session list --tenant acme --agent support-bot",
    )
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(deleteCommand());
}

function createCommand(): Command {
  return withAgentOptions(
    new Command("create")
      .description("Make a session. Its id is that of its name, as --session takes it; a new one without a name.")
      .argument("[name]", "a name or a UUID"),
  )
    .option("--created-by <subject>", "whose it is: the subject of a key", "operator")
    .addHelpText("after", "\nExample:\n  hango session create monday --tenant acme --agent support-bot --created-by ann")
    .action((name: string | undefined, options: CreateOptions) =>
      withTenancy(options, async (tenancy) => {
        const named = name === undefined ? {} : { id: await idOf(name), name };
        const session = await tenancy.createSession(await namespaceOf(options), { createdBy: options.createdBy, ...named });
        await (options.json === true
          ? printJson(session)
          : printLine(`created session ${plain(session.name ?? "")}${session.name === undefined ? "" : " "}(${session.id})`));
      }),
    );
}

function listCommand(): Command {
  return withAgentOptions(new Command("list").description("List an agent's sessions, in order of their ids."))
    .addHelpText("after", "\nExample:\n  hango session list --tenant acme --agent support-bot")
    .action((options: SessionOptions) =>
      withTenancy(options, async (tenancy) => {
        const namespace = await namespaceOf(options);
        const sessions = await allPages((page) => tenancy.listSessions(namespace, page));
        if (options.json === true) return printJson(sessions);
        await print(columns(sessions.map(({ id, createdAt, createdBy, name = "" }) => [id, createdAt.toISOString(), plain(createdBy), plain(name)])));
      }),
    );
}

function deleteCommand(): Command {
  return withAgentOptions(
    new Command("delete").description("Forget a session; its machine files stay until they are pruned.").argument("<id>", "a name or a UUID"),
  )
    .addHelpText("after", "\nExample:\n  hango session delete monday --tenant acme --agent support-bot")
    .action((id: string, options: SessionOptions) =>
      withTenancy(options, async (tenancy) => {
        const sessionId = await idOf(id);
        if (!(await tenancy.deleteSession(await namespaceOf(options), sessionId))) {
          const { HangoError } = await import("hango");
          throw new HangoError("not_found", `The agent has no session ${plain(id)}.`);
        }
        await (options.json === true ? printJson({ id: sessionId }) : printLine(`deleted session ${plain(id)}`));
      }),
    );
}
