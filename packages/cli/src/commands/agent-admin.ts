/** `hango agent create|list|delete`: the agents of a server. They live beside the run, `hango agent "task"`. */
import { Command } from "commander";
import { count, counted, plain, print, printJson, printLine } from "../output.ts";
import { idOf } from "../store.ts";
import { allPages, columns, namespaceOf, type TenantOptions, withTenancy, withTenantOptions } from "../tenancy.ts";

interface CreateOptions extends TenantOptions {
  readonly createdBy: string;
}

interface DeleteOptions extends TenantOptions {
  readonly yes?: boolean;
}

/** Adds them to the run's command, which stays what `hango agent` does with any other word. */
export function withAgentAdmin(agent: Command): Command {
  for (const command of [createCommand(), listCommand(), deleteCommand()]) agent.addCommand(command);
  return agent;
}

/** What was given: the run has options of the same names and takes them in. One that is the run's alone is refused, not ignored. */
function given<Options extends TenantOptions>(command: Command): Options {
  const { parent } = command;
  const alien = parent?.options.find(
    (option) => parent.getOptionValueSource(option.attributeName()) === "cli" && !command.options.some(({ long }) => long === option.long),
  );
  if (alien !== undefined) command.error(`error: unknown option '${alien.long ?? alien.flags}'`);
  return command.optsWithGlobals<Options>();
}

function createCommand(): Command {
  return withTenantOptions(
    new Command("create").description("Make an agent of a server. Its id is that of its name, as --agent takes it.").argument("<name>", "a name or a UUID"),
  )
    .option("--created-by <subject>", "whose it is: a member sees the agents of its own subject", "operator")
    .addHelpText("after", "\nExample:\n  hango agent create support-bot --tenant acme --created-by ann")
    .action((name: string, _own: object, command: Command) => {
      const options = given<CreateOptions>(command);
      return withTenancy(options, async (tenancy) => {
        const agent = await tenancy.createAgent(await idOf(options.tenant), { id: await idOf(name), name, createdBy: options.createdBy });
        await (options.json === true ? printJson(agent) : printLine(`created agent ${plain(agent.name)} (${agent.id})`));
      });
    });
}

function listCommand(): Command {
  return withTenantOptions(new Command("list").description("List a tenant's agents, in order of their ids."))
    .addHelpText("after", "\nExample:\n  hango agent list --tenant acme")
    .action((_own: object, command: Command) => {
      const options = given<TenantOptions>(command);
      return withTenancy(options, async (tenancy) => {
        const tenantId = await idOf(options.tenant);
        const agents = await allPages((page) => tenancy.agents.list({ tenantId, subject: "operator", role: "owner" }, page));
        if (options.json === true) return printJson(agents);
        await print(columns(agents.map(({ id, createdAt, createdBy, name }) => [id, createdAt.toISOString(), plain(createdBy), plain(name)])));
      });
    });
}

function deleteCommand(): Command {
  return withTenantOptions(
    new Command("delete").description("Delete an agent with its files, sessions, quota and record; asks first.").argument("<name>", "a name or a UUID"),
  )
    .option("--yes", "do not ask")
    .addHelpText("after", "\nExample:\n  hango agent delete support-bot --tenant acme")
    .action((name: string, _own: object, command: Command) => {
      const options = given<DeleteOptions>(command);
      return withTenancy(options, async (tenancy) => {
        const { confirm } = await import("../confirm.ts");
        const what = `This deletes the agent “${plain(name)}” of tenant “${plain(options.tenant)}” with every file, session and row of its record.\nThis can't be taken back.`;
        if (!(await confirm(what, { yes: options.yes === true }))) return print("Nothing was changed.\n");
        const gone = await tenancy.deleteAgent(await namespaceOf({ tenant: options.tenant, agent: name }));
        await (options.json === true
          ? printJson(gone)
          : printLine(`deleted agent ${plain(name)}: ${counted(gone.files, "file")} of ${count(gone.bytes)} bytes`));
      });
    });
}
