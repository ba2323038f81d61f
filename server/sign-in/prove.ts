/** Checks and stores proofs of identity by users who are signed in. */
import { AppError } from "#core/errors.ts";
import { withProof, type ProofMethod } from "#core/sign-in/proofs.ts";
import type { Call, Identity } from "../http/call.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { recordAccountEvent } from "./record.ts";
import { refusals } from "./refusals.ts";
import { checkCredentials } from "./sign-in.ts";

interface ProvingCall extends Pick<Call, "origin"> {
  identity: Identity;
}

interface PasswordCall extends ProvingCall, Pick<Call, "ctx"> {
  body: { currentPassword: string };
}

/**
 * Checks the user's own password. Counts and records the attempt like a sign-in.
 * @throws AppError rate_limited, or invalid_input for `currentPassword`
 */
export async function checkOwnPassword(
  services: Services,
  limiters: Limiters,
  { identity, ctx, origin, body }: PasswordCall,
): Promise<void> {
  const trusted = `session ${identity.session?._id ?? identity.user._id}`;
  const { username } = identity.user;
  const attempt = { username, address: ctx.ip, trusted, password: body.currentPassword };
  try {
    await checkCredentials(services, limiters, attempt, origin);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthenticated") throw error;
    const message = refusals.wrongPassword();
    throw new AppError("invalid_input", message, { currentPassword: message });
  }
}

/**
 * Records that the user has just proven their identity by this method, and stores the proof in the session, if there is
 * one.
 */
export async function storeProof(
  { db, clock, sessions }: Services,
  method: ProofMethod,
  { identity: { session, user }, origin }: ProvingCall,
): Promise<void> {
  const proof = { method, at: clock.now() };
  await recordAccountEvent(db, { user, action: "account.proved", at: proof.at, origin });
  if (session) await sessions.touch(session._id, { proofs: withProof(session.proofs, proof) });
}
