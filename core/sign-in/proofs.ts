/** Proofs of identity: at sign-in, and again before actions that must not be possible with a stolen session alone. */

/** The factors of sign-in. A user can have several. */
const proofMethods = ["password"] as const;
export type ProofMethod = (typeof proofMethods)[number];

export interface Proof {
  method: ProofMethod;
  /** The time of the proof: ISO 8601, UTC. */
  at: string;
}

const minuteMs = 60_000;

/** The purposes of a proof, with the methods that count for it and the maximum age of the newest proof. */
const proofPurposes = {
  /** Actions that create a way to sign in: a token, a password, an invitation, another role. */
  credentials: { methods: ["password"], withinMs: 15 * minuteMs },
  /** Changes of the address for links to the user's account. */
  email: { methods: ["password"], withinMs: 15 * minuteMs },
  /** Actions that send the company's content to another place. */
  outgoing: { methods: ["password"], withinMs: 15 * minuteMs },
} as const satisfies Record<string, { methods: readonly ProofMethod[]; withinMs: number }>;
export type ProofPurpose = keyof typeof proofPurposes;

/** Tells whether a proof for this purpose is recent enough. @param now milliseconds since the epoch */
export function hasRecentProof(proofs: readonly Proof[], purpose: ProofPurpose, now: number): boolean {
  const { methods, withinMs } = proofPurposes[purpose] as { methods: readonly ProofMethod[]; withinMs: number };
  return proofs.some(({ method, at }) => methods.includes(method) && now - Date.parse(at) <= withinMs);
}

/** Adds a proof. Only the newest proof of each method is kept. */
export function withProof(proofs: readonly Proof[], proof: Proof): Proof[] {
  return [...proofs.filter(({ method }) => method !== proof.method), proof];
}
