import { hostname } from "node:os";
import { createClient } from "#core/api/client.ts";
import { routes } from "#core/api/routes.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { storeCredential, type SavedCredential, findCredential } from "../credentials.ts";
import { exit, invalidInputError } from "../exit.ts";
import { createSend, parseServerOrigin, noServerError } from "../server.ts";
import { createAccessToken } from "../sign-in.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface LoginOptions {
  tokenStdin?: boolean;
  default?: boolean;
}

export async function login(context: CommandContext, options: LoginOptions): Promise<CommandResult> {
  const { profile } = context.flags;
  const server = parseServerOrigin(await chooseLoginServer(context), context.env);
  const { credential, name, company } = options.tokenStdin
    ? await loginFromStdin(context, server)
    : await loginByPassword(context, server);
  const kept = await storeCredential(context.env, credential, { profile, makeDefault: options.default });
  const place = kept === "keyring" ? "the system's keyring" : kept;
  const until = credential.expiresAt === undefined ? "" : ` until ${credential.expiresAt.slice(0, 10)}`;
  const isDefault = profile === undefined || options.default === true;
  const use = isDefault ? "" : `Use it with --profile ${profile}. Your default sign-in stays the same.\n`;
  return {
    exit: exit.done,
    data: { server, company, username: credential.username, expiresAt: credential.expiresAt ?? null, kept, isDefault },
    text: `Signed in at ${server} as ${name} (${credential.username}) of ${company}${until}. The token is in ${place}.\n${use}`,
  };
}

interface LoginResult {
  credential: SavedCredential;
  name: string;
  company: string;
}

async function loginByPassword(context: CommandContext, server: string): Promise<LoginResult> {
  const { token, username, name, company } = await createAccessToken(context, server, null, {
    name: `sop on ${hostname()}`.slice(0, 80),
    scopes: ["sops:read", "sops:write", "approvals"],
    expiresInDays: 90,
  });
  const credential = { server, username, token: token.token, tokenId: token.id, expiresAt: token.expiresAt };
  return { credential, name, company };
}

/** Asks the server who the token belongs to, so that only a working token is stored. */
async function loginFromStdin(context: CommandContext, server: string): Promise<LoginResult> {
  const token = new TextDecoder().decode(await context.stdin()).trim();
  if (!/^[\x21-\x7e]+$/.test(token))
    throw invalidInputError("token", "no token on stdin", { hint: "sop login --token-stdin < file" });
  const send = createSend(server, context.signal, { authorization: `Bearer ${token}` });
  const { user } = await createClient<Schemas>(routes, send).auth.me();
  return { credential: { server, username: user.username, token }, name: user.name, company: user.company.name };
}

/**
 * Chooses the server to sign in at: the given one, the profile's, or the last one. There is no default server, because
 * the password is sent to it.
 * @throws exit 2 if none of these is known
 */
async function chooseLoginServer({ flags, env }: Pick<CommandContext, "flags" | "env">): Promise<string> {
  const storedServer = async () => (await findCredential(env, { profile: flags.profile }))?.server;
  const server = flags.server ?? (env["SOP_SERVER"] || (await storedServer()));
  if (server === undefined) throw noServerError("no server to sign in at");
  return server;
}
