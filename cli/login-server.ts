import { findCredential } from "./credentials.ts";
import { noServer } from "./server.ts";
import type { Context } from "./context.ts";

/**
 * Chooses the server to sign in at: the given one, the profile's, or the last one. There is no default, because a
 * password goes there.
 * @throws exit 2 if there is none
 */
export async function loginServer({ flags, env }: Pick<Context, "flags" | "env">): Promise<string> {
  const known = async () => (await findCredential(env, { profile: flags.profile }))?.server;
  const server = flags.server ?? (env["SOP_SERVER"] || (await known()));
  if (server === undefined) throw noServer("no server to sign in at");
  return server;
}
