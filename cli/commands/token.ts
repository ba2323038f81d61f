import { tokenScopes, type TokenScope } from "#core/tokens/scopes.ts";
import { exit, invalidInputError } from "../exit.ts";
import { connectSignedIn, findConnection } from "../server.ts";
import { createAccessToken } from "../sign-in.ts";
import { alignedColumns } from "../columns.ts";
import { announceTarget } from "../write-target.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface TokenOptions {
  scope?: string[];
  expires: number;
}

export async function createToken(
  context: CommandContext,
  name: string | undefined,
  options: TokenOptions,
): Promise<CommandResult> {
  const scopes = (options.scope ?? ["sops:read", "sops:write"])
    .flatMap((scope) => scope.split(","))
    .map(parseTokenScope);
  const { server, username } = await findConnection(context);
  const request = { name: name ?? "created by sop", scopes, expiresInDays: options.expires };
  const { token, company } = await createAccessToken(context, server, username, request);
  context.out.note(
    `Token "${token.name}" for ${company} on ${server} (${token.scopes.join(", ")}) until ${token.expiresAt.slice(0, 10)}; it is shown once:`,
  );
  return { exit: exit.done, data: token, text: `${token.token}\n` };
}

function parseTokenScope(text: string): TokenScope {
  const scope = tokenScopes.find((known) => known === text.trim());
  if (scope === undefined)
    throw invalidInputError("scope", `${text} is not a scope`, { hint: `scopes: ${tokenScopes.join(", ")}` });
  return scope;
}

export async function listTokens(context: CommandContext): Promise<CommandResult> {
  const { client } = await connectSignedIn(context);
  const tokens = await client.tokens.list();
  const rows = tokens.map(({ id, name, scopes, expiresAt, lastUsedAt }) => [
    id,
    name,
    scopes.join(" "),
    `until ${expiresAt.slice(0, 10)}`,
    lastUsedAt === null ? "never used" : `used ${lastUsedAt.slice(0, 10)}`,
  ]);
  if (rows.length === 0) context.out.note("No tokens.");
  return { exit: exit.done, data: tokens, text: alignedColumns(rows) };
}

export async function revokeToken(context: CommandContext, id: string): Promise<CommandResult> {
  const { client, connection } = await connectSignedIn(context);
  await announceTarget(context, { client, connection });
  if (!(await context.ask.confirm(`Revoke the token ${id}? Programs that use it stop working now.`))) {
    throw invalidInputError("declined", "nothing was changed");
  }
  await client.tokens.revoke({ params: { id } });
  return { exit: exit.done, data: { id }, text: `Revoked the token ${id}.\n` };
}
