/**
 * The ways in which users prove their identity. A new way needs a row here and a method in `core/sign-in/proofs.ts`.
 */
import { AppError } from "#core/errors.ts";
import { withProof, type Proof, type ProofMethod } from "#core/sign-in/proofs.ts";
import type { Call, Identity } from "../http/call.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { recordAccount } from "./record.ts";
import { checkCredentials } from "./sign-in.ts";
import { refusals } from "./refusals.ts";

interface IdentityProof extends Pick<Call, "ctx" | "origin"> {
  identity: Identity;
  body: { currentPassword: string };
}

type ProveIdentity = (services: Services, limiters: Limiters, call: IdentityProof) => Promise<void>;

export const identities: Record<ProofMethod, { prove: ProveIdentity }> = {
  password: {
    /** Counts and records like a sign-in. @throws AppError rate_limited, or invalid_input for `currentPassword` */
    async prove(services, limiters, { identity, ctx, origin, body }) {
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
    },
  },
};

/** Asks signed-in users to prove their identity again. The session stores the proof. */
export async function proveAgain(
  services: Services,
  limiters: Limiters,
  method: ProofMethod,
  call: IdentityProof,
): Promise<void> {
  await identities[method].prove(services, limiters, call);
  const { session, user } = call.identity;
  const proof: Proof = { method, at: services.clock.now() };
  await recordAccount(services.db, { user, action: "account.proved", at: proof.at, origin: call.origin });
  if (session) await services.sessions.touch(session._id, { proofs: withProof(session.proofs, proof) });
}
