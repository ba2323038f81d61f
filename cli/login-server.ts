import { findCredential } from "./credentials.ts";
import type { Context } from "./context.ts";

/** Where to sign in: said, or the profile's server, or the last one, or this machine's. */
export async function loginServer({ flags, env }: Pick<Context, "flags" | "env">): Promise<string> {
  const known = async () => (await findCredential(env, { profile: flags.profile }))?.server;
  return flags.server ?? (env["SOP_SERVER"] || (await known()) || "http://localhost:3000");
}
