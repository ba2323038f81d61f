/** Asking for the password of who is signed in already: what a stolen session must not do alone. */
import { AppError } from "#core/errors.ts";
import type { Origin, Identity } from "../http/call.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { checkCredentials } from "./sign-in.ts";

/** How long a sign-in counts as proof (`research/security.md` §2.6). */
const provenMs = 15 * 60_000;

export function isFresh({ session }: Pick<Identity, "session">, nowMs: number): boolean {
  return session !== null && nowMs - Date.parse(session.authenticatedAt) <= provenMs;
}

/** Counts and records like a sign-in. @throws AppError invalid_input naming `currentPassword`, rate_limited */
export async function assertOwnPassword(
  services: Services,
  limiters: Limiters,
  { identity, address, origin, password }: { identity: Identity; address: string; origin: Origin; password: string },
): Promise<void> {
  const attempt = { username: identity.user.username, address, knownDevice: true, password };
  try {
    await checkCredentials(services, limiters, attempt, origin);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthenticated") throw error;
    const message = "The current password is wrong";
    throw new AppError("invalid_input", message, { currentPassword: message });
  }
}
