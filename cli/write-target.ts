/**
 * Prints the server and company that a command writes to before it sends anything, so that a wrong target is noticed in
 * time.
 */
import { ApiError } from "#core/api/client.ts";
import type { CommandContext } from "./context.ts";
import type { SignedInClient } from "./server.ts";

export interface WriteTarget {
  server: string;
  /** null if the token isn't allowed to ask for the company. */
  company: string | null;
}

/** Asks who is signed in, and prints server and company on stderr. @throws ApiError if the token doesn't work */
export async function announceTarget(
  { out }: Pick<CommandContext, "out">,
  { client, connection }: Pick<SignedInClient, "client" | "connection">,
): Promise<WriteTarget> {
  const company = await client.auth.me().then(
    ({ user }) => user.company.name,
    (error: unknown) => {
      if (error instanceof ApiError && error.code === "forbidden") return null;
      throw error;
    },
  );
  return printTarget({ out }, { server: connection.server, company });
}

export function printTarget({ out }: Pick<CommandContext, "out">, target: WriteTarget): WriteTarget {
  if (!out.json)
    out.note(target.company === null ? `On ${target.server}` : `Company ${target.company} on ${target.server}`);
  return target;
}
