/**
 * Proves to a running server that a task of the operator has the server's keys, by a hash of the time and the purpose.
 */
import { timingSafeEqual } from "node:crypto";
import { hashOf } from "../http/secrets.ts";
import type { Keyring } from "../keys/keyring.ts";

type ProofKeys = Pick<Keyring, "statusProofs">;

/** The purpose of a proof. A proof for one purpose isn't valid for the other. */
type OperatorProofPurpose = "status" | "unlock";

/** Seconds for which a proof is valid. Task and server share a clock, because they run on one machine. */
const proofSeconds = 60;

/**
 * Creates a proof that is valid for one minute, so that a stolen proof is soon useless.
 * @returns null if there are no keys
 */
export function createOperatorProof(keys: ProofKeys, purpose: OperatorProofPurpose, seconds: number): string | null {
  const [proof] = keys.statusProofs(signedProofText(purpose, String(seconds)));
  return proof === undefined ? null : `${seconds}.${proof}`;
}

/** Says whether a key in the keyring made this proof for this purpose, within the last minute. */
export function isValidOperatorProof(keys: ProofKeys, purpose: OperatorProofPurpose, shown: string): boolean {
  const [, seconds = "", proof = ""] = /^(\d{1,12})\.([\w-]+)$/.exec(shown) ?? [];
  if (proof === "" || Math.abs(Date.now() / 1000 - Number(seconds)) > proofSeconds) return false;
  return keys.statusProofs(signedProofText(purpose, seconds)).some((one) => isSameSecret(proof, one));
}

export function isSameSecret(shown: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(shown)), Buffer.from(hashOf(secret)));
}

const signedProofText = (purpose: OperatorProofPurpose, seconds: string) =>
  purpose === "status" ? seconds : `${purpose} ${seconds}`;
