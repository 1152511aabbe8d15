import { createHash, randomBytes } from "node:crypto";
import { type ApiKey, type Permission, permissions } from "@intents/domain/parties/caller.ts";
import { operatorAudit, SERVICE_TENANT } from "@intents/storage/audit/operators.ts";
import { findKeyUses } from "@intents/storage/parties/key-uses.ts";
import { listApiKeys } from "@intents/storage/parties/registers.ts";
import { addApiKey, findApiKey, findTenant, replaceApiKey } from "@intents/storage/parties/tenants.ts";
import { transact } from "@intents/storage/table/transact.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type GivenLimits, limitOptions, limitsAfter } from "./key-limits.ts";
import { print, printAll } from "./output.ts";
import { Refusal } from "./refusal.ts";
import { openSession, type Session } from "./session.ts";
import { parseTenantId, tenantOption } from "./tenants.ts";

export function keyCommands(program: Command): void {
  const keys = program.command("keys").description("API keys");
  const createCommand = keys
    .command("create")
    .description("creates a key, and shows its secret this one time")
    .argument("<clientId>", "letters, digits, dots, dashes and underscores", parseClientId)
    .addOption(new Option("--tenant <id>", "tenant of the key").argParser(parseTenantId).makeOptionMandatory())
    .option("--user <name>", "who uses it", "API user")
    .addOption(new Option("--grant <permission...>", "permissions").choices(permissions).default([]))
    .action(async (clientId: string, options: NewKey, command: Command) => {
      await create(await openSession(command), clientId, options);
    });
  for (const option of limitOptions()) createCommand.addOption(option);
  keys
    .command("list")
    .description("all keys of a tenant: what they may do, and when they were used last")
    .addOption(tenantOption())
    .action(async ({ tenant }: Readonly<{ tenant: string }>, command: Command) => {
      await list(await openSession(command), tenant);
    });
  keys
    .command("revoke")
    .description("ends a key for good")
    .argument("<clientId>", "the part of the key before the colon")
    .action(async (clientId: string, _options: unknown, command: Command) => {
      await revoke(await openSession(command), clientId);
    });
  keys
    .command("rotate")
    .description("adds a second secret, so that callers can change over while both work")
    .argument("<clientId>", "the part of the key before the colon")
    .addOption(new Option("--finish", "drop the old one").conflicts("cancel"))
    .addOption(new Option("--cancel", "drop the new one, if no caller uses it yet"))
    .action(async (clientId: string, { finish, cancel }: { finish?: true; cancel?: true }, command: Command) => {
      const session = await openSession(command);
      if (finish === true) await endRotation(session, clientId, "old");
      else if (cancel === true) await endRotation(session, clientId, "new");
      else await rotate(session, clientId);
    });
  keys
    .command("grant")
    .description("gives permissions")
    .argument("<clientId>", "the part of the key before the colon")
    .argument("<permission...>", permissions.join(", "))
    .action(async (clientId: string, granted: string[], _options: unknown, command: Command) => {
      await grant(await openSession(command), clientId, granted.map(parsePermission));
    });
  keys
    .command("ungrant")
    .description("takes permissions back")
    .argument("<clientId>", "the part of the key before the colon")
    .argument("<permission...>", permissions.join(", "))
    .action(async (clientId: string, taken: string[], _options: unknown, command: Command) => {
      await ungrant(await openSession(command), clientId, taken.map(parsePermission));
    });
  const limitCommand = keys
    .command("limit")
    .description("changes a key's end, addresses and scopes")
    .argument("<clientId>", "the part of the key before the colon")
    .action(async (clientId: string, given: GivenLimits, command: Command) => {
      await limit(await openSession(command), clientId, given);
    });
  for (const option of limitOptions()) limitCommand.addOption(option);
  keys
    .command("repair")
    .description("finds keys that API Gateway knows and the service does not, and disables them")
    .action(async (_options: unknown, command: Command) => {
      await repair(await openSession(command));
    });
}

type NewKey = GivenLimits & Readonly<{ tenant: string; user: string; grant: Permission[] }>;

/** Creates a key in the gateway first: one that only the service knew would be refused as unmetered (H46). */
async function create(
  session: Session,
  clientId: string,
  { tenant: tenantId, user, grant: granted, ...given }: NewKey,
): Promise<void> {
  const { table, gateway, confirm, change } = session;
  if ((await findTenant(table, tenantId)) === undefined) throw new Refusal(`There is no tenant ${tenantId}`);
  if ((await findApiKey(table, clientId)) !== undefined) throw new Refusal(`The client id ${clientId} is taken`);
  await confirm(`Create key ${clientId} for tenant ${tenantId}?`);
  const limits = limitsAfter({}, given);
  const { secret, hash } = newSecret(session);
  const gatewayKey = await gateway.add(clientId, randomBytes(20).toString("hex"));
  const key: ApiKey = {
    clientId,
    tenantId,
    userId: `user-${clientId}`,
    userName: user,
    permissions: granted,
    secretHashes: [hash],
    gatewayKey,
    createdAt: new Date().toISOString(),
    ...limits,
  };
  if (!(await addApiKey(table, key, change("keys.create", { clientId, permissions: granted, ...limits })))) {
    throw new Refusal(`The client id ${clientId} is taken`);
  }
  print(session, {
    clientId,
    tenantId,
    permissions: granted,
    ...limits,
    apiKey: `${clientId}:${secret}`,
    note: "shown only once",
  });
}

/** Everything about the keys of a tenant except their secrets, of which it knows how many there are. */
async function list(session: Session, tenantId: string): Promise<void> {
  const keys = await listApiKeys(session.table, tenantId);
  const { WINDOW_TABLE_NAME: name } = await session.settings();
  const uses = await findKeyUses(
    { ...session.table, name },
    keys.map(({ clientId }) => clientId),
  );
  printAll(
    session,
    keys.map(({ clientId, userName, permissions: granted, secretHashes, ...key }) => {
      const { scopes, sources, expiresAt, createdAt, revokedAt } = key;
      const shown = { clientId, userName, permissions: granted, scopes, sources };
      return {
        ...shown,
        secrets: secretHashes.length,
        createdAt,
        lastUsedOn: uses.get(clientId),
        expiresAt,
        revokedAt,
      };
    }),
  );
}

/** A new secret. By its beginning, scanners of code and logs know it, and people whether it moves real money. */
function newSecret({ stage }: Session) {
  const prefix = stage === "production" ? "pik_live_" : "pik_test_";
  const secret = prefix + randomBytes(32).toString("base64url");
  return { secret, hash: createHash("sha256").update(secret).digest("hex") };
}

/** Changes the secret of a key. API Gateway, which never learns a secret, keeps its key (H55). */
async function rotate(session: Session, clientId: string): Promise<void> {
  const before = await getLiveKey(session, clientId);
  if (before.secretHashes.length > 1) throw new Refusal(`The key ${clientId} has two secrets: finish or cancel first`);
  await session.confirm(`Add a second secret to key ${clientId} of tenant ${before.tenantId}?`);
  const { secret, hash } = newSecret(session);
  await replaceKey(session, before, { ...before, secretHashes: [...before.secretHashes, hash] }, "keys.rotate");
  print(session, { clientId, apiKey: `${clientId}:${secret}`, note: "shown only once; the old secret works on" });
}

async function endRotation(session: Session, clientId: string, dropped: "old" | "new"): Promise<void> {
  const before = await getLiveKey(session, clientId);
  const [first, second] = before.secretHashes;
  if (first === undefined || second === undefined) throw new Refusal(`The key ${clientId} has one secret: rotate it`);
  await session.confirm(`Drop the ${dropped} secret of key ${clientId} of tenant ${before.tenantId}?`);
  const after = { ...before, secretHashes: [dropped === "old" ? second : first] };
  await replaceKey(session, before, after, "keys.rotate.end", { dropped });
  print(session, { clientId, note: `the ${dropped} secret ends within a minute` });
}

async function revoke(session: Session, clientId: string): Promise<void> {
  const { gateway, confirm } = session;
  const before = await getKey(session, clientId);
  await confirm(`Revoke key ${clientId} of tenant ${before.tenantId}?`);
  const after = { ...before, revokedAt: before.revokedAt ?? new Date().toISOString() };
  // The store comes first: from this write on the service refuses the key, whatever the gateway still lets through.
  await replaceKey(session, before, after, "keys.revoke");
  await gateway.disable(clientId);
  print(session, { clientId, tenantId: after.tenantId, revokedAt: after.revokedAt });
}

async function grant(session: Session, clientId: string, granted: readonly Permission[]): Promise<void> {
  const before = await getLiveKey(session, clientId);
  const after = {
    ...before,
    permissions: permissions.filter((name) => [...before.permissions, ...granted].includes(name)),
  };
  await session.confirm(`Grant ${granted.join(", ")} to key ${clientId}?`);
  await replaceKey(session, before, after, "keys.grant", { permissions: granted });
  print(session, { clientId, permissions: after.permissions, note: "in effect within a minute" });
}

async function ungrant(session: Session, clientId: string, taken: readonly Permission[]): Promise<void> {
  const before = await getLiveKey(session, clientId);
  const missing = taken.filter((name) => !before.permissions.includes(name));
  if (missing.length > 0) throw new Refusal(`The key ${clientId} does not have ${missing.join(", ")}`);
  const after = { ...before, permissions: before.permissions.filter((name) => !taken.includes(name)) };
  await session.confirm(`Take ${taken.join(", ")} from key ${clientId}?`);
  await replaceKey(session, before, after, "keys.ungrant", { permissions: taken });
  print(session, {
    clientId,
    permissions: after.permissions,
    note: "in effect at submit at once, elsewhere within a minute",
  });
}

async function limit(session: Session, clientId: string, given: GivenLimits): Promise<void> {
  if (Object.keys(given).length === 0) throw new Refusal("Nothing to limit: name what changes", "usage");
  const before = await getLiveKey(session, clientId);
  const { expiresAt: _ended, sources: _from, scopes: _for, ...unlimited } = before;
  const limits = limitsAfter(before, given);
  await session.confirm(`Limit key ${clientId} of tenant ${before.tenantId}?`);
  await replaceKey(session, before, { ...unlimited, ...limits }, "keys.limit", given);
  print(session, { clientId, ...limits, note: "in effect at submit at once, elsewhere within a minute" });
}

/** Disables gateway keys that the service does not know. A create that stopped half way leaves such a key. */
async function repair(session: Session): Promise<void> {
  const { table, gateway, confirm, change } = session;
  const clientIds = await gateway.list();
  const known = await Promise.all(clientIds.map((clientId) => findApiKey(table, clientId)));
  const halves = clientIds.filter((_, index) => known[index] === undefined);
  if (halves.length > 0) {
    await confirm(`Disable ${halves.join(", ")} in API Gateway?`);
    await transact(table, () => [operatorAudit(table, SERVICE_TENANT, change("keys.repair", { disabled: halves }))]);
    for (const clientId of halves) await gateway.disable(clientId);
  }
  print(session, { checked: clientIds.length, disabled: halves });
}

async function replaceKey(
  { table, change }: Session,
  before: ApiKey,
  after: ApiKey,
  action: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { clientId } = before;
  if (await replaceApiKey(table, before, after, change(action, { clientId, ...more }))) return;
  throw new Refusal("Somebody else changed the key meanwhile: try again");
}

async function getLiveKey(session: Session, clientId: string): Promise<ApiKey> {
  const key = await getKey(session, clientId);
  if (key.revokedAt !== undefined) throw new Refusal(`The key ${clientId} was revoked on ${key.revokedAt}`);
  return key;
}

async function getKey({ table }: Session, clientId: string): Promise<ApiKey> {
  const key = await findApiKey(table, clientId);
  if (key === undefined) throw new Refusal(`There is no key ${clientId}`);
  return key;
}

function parseClientId(value: string): string {
  if (!/^[\w.-]{3,64}$/.test(value))
    throw new InvalidArgumentError("3 to 64 letters, digits, dots, dashes, underscores");
  return value;
}

function parsePermission(value: string): Permission {
  const permission = permissions.find((name) => name === value);
  if (permission === undefined) throw new Refusal(`${value} is not a permission: ${permissions.join(", ")}`, "usage");
  return permission;
}
