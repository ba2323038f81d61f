/** Finds the owner of a new document. */
import { findCredential } from "../credentials.ts";
import { operatingSystemUserName } from "../home.ts";
import { usernameFor } from "./new-document.ts";
import type { CommandContext } from "../context.ts";

/** Returns the username of the signed-in user, or else a username for the user of this machine. */
export async function findDefaultOwner({ env, flags }: Pick<CommandContext, "env" | "flags">): Promise<string> {
  const credential = await findCredential(env, { profile: flags.profile }).catch(() => null);
  return credential?.username ?? usernameFor(env["USER"] || env["USERNAME"] || operatingSystemUserName());
}
