import { createClient } from "#core/api/client.ts";
import { routes } from "#core/api/routes.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { deleteCredential, findCredential, type FoundCredential } from "../credentials.ts";
import { exit, failureOf } from "../exit.ts";
import { createSend, parseServerOrigin } from "../server.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export async function logout(context: CommandContext): Promise<CommandResult> {
  const { flags, env } = context;
  const server = flags.server ?? (flags.profile === undefined ? env["SOP_SERVER"] || undefined : undefined);
  const credential = await findCredential(env, {
    profile: flags.profile,
    server: server === undefined ? undefined : parseServerOrigin(server, env),
  });
  if (credential === null) return { exit: exit.done, data: { server: null }, text: "No one was signed in.\n" };
  const ended = await revokeTokenOnServer(context, credential);
  await deleteCredential(env, credential.key);
  const still = ended ? "" : " The token stays valid on the server until it expires.";
  return {
    exit: exit.done,
    data: { server: credential.server, username: credential.username, revoked: ended },
    text: `Signed out ${credential.username} at ${credential.server}.${still}\n`,
  };
}

/**
 * Revokes the token on the server. Returns false if that fails, or if the token's id isn't known. Throws no error,
 * because the command must delete the token from this machine even if the server can't be reached.
 */
async function revokeTokenOnServer(
  context: CommandContext,
  { server, token, tokenId }: FoundCredential,
): Promise<boolean> {
  if (token === null || tokenId === undefined) return false;
  const send = createSend(server, context.signal, { authorization: `Bearer ${token}` });
  try {
    await createClient<Schemas>(routes, send).tokens.revoke({ params: { id: tokenId } });
    return true;
  } catch (error) {
    const { problem } = failureOf(error);
    // A token that no longer works needs no revoking.
    if (problem.code === "unauthenticated" || problem.code === "not_found") return true;
    context.out.note(`the token was not revoked: ${problem.message}`);
    return false;
  }
}
