/** Asks signed-in users for their password again. A stolen session alone must not be enough for these actions. */
import type { Context } from "koa";
import { AppError } from "#core/errors.ts";
import type { Origin, Identity } from "../http/call.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { checkCredentials } from "./sign-in.ts";

/** How long a sign-in counts as proof (`docs/security-reference.md`, Sessions). */
const provenMs = 15 * 60_000;

function isFresh({ session }: Pick<Identity, "session">, nowMs: number): boolean {
  return session !== null && nowMs - Date.parse(session.authenticatedAt) <= provenMs;
}

/** Counts and records like a sign-in. @throws AppError invalid_input naming `currentPassword`, rate_limited */
export async function assertOwnPassword(
  services: Services,
  limiters: Limiters,
  { identity, address, origin, password }: { identity: Identity; address: string; origin: Origin; password: string },
): Promise<void> {
  const trusted = `session ${identity.session?._id ?? identity.user._id}`;
  const attempt = { username: identity.user.username, address, trusted, password };
  try {
    await checkCredentials(services, limiters, attempt, origin);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthenticated") throw error;
    const message = "The current password is wrong";
    throw new AppError("invalid_input", message, { currentPassword: message });
  }
}

/**
 * Step-up: the password is right, or the sign-in is recent.
 * @param purpose as in "Enter your password to …"
 * @throws AppError invalid_input naming `currentPassword`, rate_limited
 */
export async function assertProven(
  services: Services,
  limiters: Limiters,
  call: { identity: Identity; ctx: Context; origin: Origin; body: { currentPassword?: string | undefined } },
  purpose: string,
): Promise<void> {
  const { identity, ctx, origin, body } = call;
  if (body.currentPassword !== undefined) {
    return assertOwnPassword(services, limiters, { identity, address: ctx.ip, origin, password: body.currentPassword });
  }
  if (isFresh(identity, services.clock.millis())) return;
  const message = `Enter your password to ${purpose}`;
  throw new AppError("invalid_input", message, { currentPassword: message });
}
