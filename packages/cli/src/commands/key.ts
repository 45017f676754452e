import { Command, Option } from "commander";
import type { ApiKeyRow, Role } from "hango/postgres";
import { plain, print, printJson, printLine, say } from "../output.ts";
import { parseAge } from "../size.ts";
import { idOf } from "../store.ts";
import { allPages, columns, type TenantOptions, withTenancy, withTenantOptions } from "../tenancy.ts";

interface CreateOptions extends TenantOptions {
  readonly subject: string;
  readonly role: Role;
  readonly expiresIn?: number;
}

/** `hango key` */
export function keyCommand(): Command {
  return new Command("key")
    .description("Keys of a tenant: who may use its server, and as what.")
    .addHelpText(
      "after",
      "\nExamples:\n  hango key create --tenant acme --subject ann@acme.example --role owner\n  hango key list --tenant acme\n  hango key revoke 0190… --tenant acme",
    )
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

function createCommand(): Command {
  return withTenantOptions(new Command("create").description("Make a key and print it, once: only its hash is kept."))
    .requiredOption("--subject <name>", "who it is for, as it goes into the record")
    .addOption(
      new Option("--role <role>", "owner, admin (both see every agent) or member (sees its own)").choices(["owner", "admin", "member"]).makeOptionMandatory(),
    )
    .option("--expires-in <age>", "how long it opens: 30d, 12h (default: until it is revoked)", parseAge)
    .addHelpText("after", "\nExample:\n  hango key create --tenant acme --subject ci --role member --expires-in 30d")
    .action((options: CreateOptions) =>
      withTenancy(options, async (tenancy) => {
        const { subject, role, expiresIn } = options;
        const expires = expiresIn === undefined ? {} : { expiresAt: new Date(Date.now() + expiresIn) };
        const made = await tenancy.createKey(await idOf(options.tenant), { subject, role, ...expires });
        if (options.json === true) return printJson(made);
        say("this key is shown once; keep it where secrets are kept");
        await printLine(made.key);
      }),
    );
}

function listCommand(): Command {
  return withTenantOptions(new Command("list").description("List the keys, by how they start."))
    .addHelpText("after", "\nExample:\n  hango key list --tenant acme")
    .action((options: TenantOptions) =>
      withTenancy(options, async (tenancy) => {
        const tenantId = await idOf(options.tenant);
        const keys = await allPages((page) => tenancy.listKeys(tenantId, page));
        if (options.json === true) return printJson(keys);
        await print(columns(keys.map((key) => [key.id, `${key.prefix}…`, key.role, state(key), plain(key.subject)])));
      }),
    );
}

function state({ expiresAt, revokedAt }: ApiKeyRow): string {
  if (revokedAt !== undefined) return `revoked ${revokedAt.toISOString()}`;
  if (expiresAt === undefined) return "opens";
  return `${expiresAt.getTime() > Date.now() ? "opens until" : "expired"} ${expiresAt.toISOString()}`;
}

function revokeCommand(): Command {
  return withTenantOptions(
    new Command("revoke").description("End a key and every sign-in made with it, at once.").argument("<id>", "the key's id, as list shows it"),
  )
    .addHelpText("after", "\nExample:\n  hango key revoke 0190b8c2-0000-7000-8000-000000000001 --tenant acme")
    .action((id: string, options: TenantOptions) =>
      withTenancy(options, async (tenancy) => {
        const key = await tenancy.revokeKey(await idOf(options.tenant), id);
        await (options.json === true ? printJson(key) : printLine(`revoked ${key.prefix}… of ${plain(key.subject)}`));
      }),
    );
}
