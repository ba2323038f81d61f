/** Where a command writes: said before anything is sent, so that the wrong company shows in time. */
import { ApiError } from "#core/api/client.ts";
import type { Context } from "./context.ts";
import type { SignedInClient } from "./server.ts";

export interface WriteTarget {
  server: string;
  /** Null where the token can't ask for it. */
  company: string | null;
}

/** Asks who is signed in, and says server and company on stderr. @throws ApiError where the token doesn't work */
export async function nameTarget(
  { out }: Pick<Context, "out">,
  { client, connection }: Pick<SignedInClient, "client" | "connection">,
): Promise<WriteTarget> {
  const company = await client.auth.me().then(
    ({ user }) => user.company.name,
    (error: unknown) => {
      if (error instanceof ApiError && error.code === "forbidden") return null;
      throw error;
    },
  );
  return sayTarget({ out }, { server: connection.server, company });
}

export function sayTarget({ out }: Pick<Context, "out">, target: WriteTarget): WriteTarget {
  if (!out.json)
    out.note(target.company === null ? `On ${target.server}` : `Company ${target.company} on ${target.server}`);
  return target;
}
