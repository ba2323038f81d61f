/** Creates an access token for `login` and `token create`, in a session that ends as soon as the token exists. */
import { ApiError, createClient, type CallOutput } from "#core/api/client.ts";
import { routes } from "#core/api/routes.ts";
import type { Schemas } from "#core/api/schemas.ts";
import type { TokenScope } from "#core/tokens/scopes.ts";
import { createSessionSend } from "./server.ts";
import { CliError, exit } from "./exit.ts";
import type { CommandContext } from "./context.ts";

export interface TokenRequest {
  name: string;
  scopes: TokenScope[];
  expiresInDays: number;
}

export type NewToken = CallOutput<Schemas["tokens"]["create"]>;

/** Asks for missing input, signs in, creates the token, ends the session. */
export async function createAccessToken(
  context: Pick<CommandContext, "ask" | "signal">,
  server: string,
  username: string | null,
  request: TokenRequest,
): Promise<{ token: NewToken; username: string; name: string; company: string }> {
  const who = username ?? (await context.ask.text(`Username at ${server}`));
  const password = await context.ask.password(`Password of ${who}`);
  const client = createClient<Schemas>(routes, createSessionSend(server, context.signal));
  const { user } = await client.auth.login({ body: { username: who, password } }).catch(throwSignInError);
  try {
    const token = await client.tokens.create({ body: request });
    return { token, username: user.username, name: user.name, company: user.company.name };
  } finally {
    await client.auth.logout();
  }
}

function throwSignInError(error: unknown): never {
  if (error instanceof ApiError && error.code === "unauthenticated") {
    throw new CliError(exit.access, {
      code: error.code,
      message: error.serverMessage ?? "wrong username or password",
      hint: "check both and try again; an administrator can send a link to set a new password",
    });
  }
  throw error;
}
