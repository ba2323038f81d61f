/** People prove who they are at sign-in, and again before an action that a stolen session alone must not be enough for. */

/** The factors. A user can have several. */
export const proofMethods = ["password"] as const;
export type ProofMethod = (typeof proofMethods)[number];

export interface Proof {
  method: ProofMethod;
  /** ISO 8601, UTC. */
  at: string;
}

const minuteMs = 60_000;

/** Each purpose asks for a proof, and says how old the newest one may be. */
export const proofPurposes = {
  /** It makes a way to sign in: a token, a password, an invitation, another role. */
  credentials: { withinMs: 15 * minuteMs },
  /** It changes where links to the user's own account go. */
  email: { withinMs: 15 * minuteMs },
  /** It sends what the company wrote to another place. */
  outgoing: { withinMs: 15 * minuteMs },
} as const satisfies Record<string, { withinMs: number }>;
export type ProofPurpose = keyof typeof proofPurposes;

/** @param now milliseconds since 1970 */
export function isProven(proofs: readonly Proof[], purpose: ProofPurpose, now: number): boolean {
  const { withinMs } = proofPurposes[purpose];
  return proofs.some(({ at }) => now - Date.parse(at) <= withinMs);
}

/** One proof of each method: the newest. */
export function withProof(proofs: readonly Proof[], proof: Proof): Proof[] {
  return [...proofs.filter(({ method }) => method !== proof.method), proof];
}
