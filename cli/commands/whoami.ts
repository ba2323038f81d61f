import { roleLabel } from "#core/permissions/roles.ts";
import { exit } from "../exit.ts";
import { connectSignedIn } from "../server.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export async function whoami(context: CommandContext): Promise<CommandResult> {
  const { client, connection } = await connectSignedIn(context);
  const { user } = await client.auth.me();
  const from = connection.source === "SOP_TOKEN" ? " by SOP_TOKEN" : "";
  return {
    exit: exit.done,
    data: { server: connection.server, source: connection.source, user },
    text: `${user.name} (${user.username}), ${roleLabel(user.role)} at ${user.company.name}, on ${connection.server}${from}\n`,
  };
}
