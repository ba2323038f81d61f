/**
 * Requires a recent proof of identity (step-up) for sensitive actions, because a stolen session alone must not be
 * enough (`docs/security.md`, Sessions).
 */
import type { Clock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import { hasRecentProof, type ProofPurpose } from "#core/sign-in/proofs.ts";
import type { Identity } from "./call.ts";
import { refusals } from "./refusals.ts";

/** Checks that the session has a recent proof for the purpose. @throws AppError forbidden for a token, proof_needed */
export function assertProven({ session }: Pick<Identity, "session">, purpose: ProofPurpose, clock: Clock): void {
  if (session === null) throw new AppError("forbidden", refusals.signInNeeded());
  if (!hasRecentProof(session.proofs, purpose, clock.millis())) throw new AppError("proof_needed");
}
