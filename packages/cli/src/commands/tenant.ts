import { Command } from "commander";
import type { Usage } from "hango/postgres";
import { interrupted } from "../interrupt.ts";
import { count, counted, plain, print, printJson, printLine, size } from "../output.ts";
import { parseSize, wholeNumber } from "../size.ts";
import { idOf } from "../store.ts";
import { allPages, columns, type TenancyOptions, withTenancy, withTenancyOptions } from "../tenancy.ts";

interface DeleteOptions extends TenancyOptions {
  readonly yes?: boolean;
}

interface QuotaOptions extends TenancyOptions {
  readonly maxFiles?: number;
  readonly maxBytes?: number;
  readonly none?: boolean;
}

/** `hango tenant` */
export function tenantCommand(): Command {
  return new Command("tenant")
    .description("Tenants of a server: each has agents and keys of its own.")
    .addHelpText("after", "\nExamples:\n  hango tenant create acme\n  hango tenant list\n  hango tenant delete acme")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(quotaCommand())
    .addCommand(deleteCommand());
}

function createCommand(): Command {
  return withTenancyOptions(
    new Command("create").description("Make a tenant. Its id is that of its name, as --tenant takes it.").argument("<name>", "a name or a UUID"),
  )
    .addHelpText("after", "\nExample:\n  hango tenant create acme && hango key create --tenant acme --subject ann --role owner")
    .action((name: string, options: TenancyOptions) =>
      withTenancy(
        options,
        async (tenancy) => {
          const tenant = await tenancy.createTenant({ id: await idOf(name), name });
          await (options.json === true ? printJson(tenant) : printLine(`created tenant ${plain(tenant.name)} (${tenant.id})`));
        },
        { creates: true },
      ),
    );
}

function listCommand(): Command {
  return withTenancyOptions(new Command("list").description("List the tenants, in order of their ids."))
    .addHelpText("after", "\nExample:\n  hango tenant list --json")
    .action((options: TenancyOptions) =>
      withTenancy(options, async (tenancy) => {
        const tenants = await allPages((page) => tenancy.listTenants(page));
        if (options.json === true) return printJson(tenants);
        await print(columns(tenants.map(({ id, name, createdAt }) => [id, createdAt.toISOString(), plain(name)])));
      }),
    );
}

function quotaCommand(): Command {
  return withTenancyOptions(
    new Command("quota")
      .description("Show or set what the agents of a tenant may have together; a limit that is not named stays as it is.")
      .argument("<name>", "a name or a UUID"),
  )
    .option("--max-files <n>", "files at most", wholeNumber(0))
    .option("--max-bytes <size>", "bytes at most, e.g. 10MB or 512KiB", parseSize)
    .option("--none", "lift both limits")
    .addHelpText(
      "after",
      "\nHeld by the server and by every command that writes; writers at the same moment may overshoot it. An agent's own (hango quota) is exact.\n\nExamples:\n  hango tenant quota acme\n  hango tenant quota acme --max-bytes 10GB",
    )
    .action((name: string, options: QuotaOptions) =>
      withTenancy(options, async (tenancy) => {
        const { maxFiles, maxBytes, none = false } = options;
        const changes = maxFiles !== undefined || maxBytes !== undefined;
        if (none && changes) {
          const { HangoError } = await import("hango");
          throw new HangoError("invalid_argument", "--none lifts both limits, so it can't stand beside --max-files or --max-bytes.");
        }
        const id = await idOf(name);
        if (none) await tenancy.setQuota(id, {});
        else if (changes) await tenancy.setQuota(id, merged(await tenancy.usage(id), options));
        const usage = await tenancy.usage(id);
        await (options.json === true ? printJson(usage) : print(shown(usage)));
      }),
    );
}

function merged(now: Usage, { maxFiles = now.maxFiles, maxBytes = now.maxBytes }: QuotaOptions): { readonly maxFiles?: number; readonly maxBytes?: number } {
  return { ...(maxFiles === undefined ? {} : { maxFiles }), ...(maxBytes === undefined ? {} : { maxBytes }) };
}

function shown({ files, bytes, maxFiles, maxBytes }: Usage): string {
  const most = (limit: number | undefined, unit: (n: number) => string): string => (limit === undefined ? "no limit" : `at most ${unit(limit)}`);
  return `files    ${count(files)}, ${most(maxFiles, count)}\nsize     ${size(bytes)}, ${most(maxBytes, size)}\n`;
}

function deleteCommand(): Command {
  return withTenancyOptions(
    new Command("delete").description("Delete a tenant with its keys, agents, files, sessions and record; asks first.").argument("<name>", "a name or a UUID"),
  )
    .option("--yes", "do not ask")
    .addHelpText("after", "\nExample:\n  hango tenant delete acme")
    .action((name: string, options: DeleteOptions) =>
      withTenancy(options, async (tenancy) => {
        const { confirm } = await import("../confirm.ts");
        const id = await idOf(name);
        const { files, bytes } = await tenancy.usage(id);
        const what = `This deletes the tenant “${plain(name)}”, its keys and all its agents, with ${counted(files, "file")} of ${count(bytes)} bytes and the record.\nThis can't be taken back.`;
        if (!(await confirm(what, { yes: options.yes === true }))) return print("Nothing was changed.\n");
        const gone = await tenancy.deleteTenant(id, { signal: interrupted });
        if (options.json === true) return printJson(gone);
        await printLine(`deleted tenant ${plain(name)}: ${counted(gone.agents, "agent")}, ${counted(gone.files, "file")} of ${count(gone.bytes)} bytes`);
      }),
    );
}
