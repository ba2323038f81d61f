/** Proves to a running server that a task has its keys, by a hash of the time and the purpose. */
import { timingSafeEqual } from "node:crypto";
import { hashOf } from "../http/secrets.ts";
import type { Keyring } from "../keys/keyring.ts";

type Keys = Pick<Keyring, "statusProofs">;

/** The purpose of a proof. Another purpose needs another proof. */
type Purpose = "status" | "unlock";

/** Seconds for which a proof is valid. Task and server share a clock, because they run on one machine. */
const proofSeconds = 60;

/** Makes a proof that is valid for one minute, so that a stolen one is soon useless. */
export function operatorProof(keys: Keys, purpose: Purpose, seconds: number): string | null {
  const [proof] = keys.statusProofs(textOf(purpose, String(seconds)));
  return proof === undefined ? null : `${seconds}.${proof}`;
}

export function isOperatorProof(keys: Keys, purpose: Purpose, shown: string): boolean {
  const [, seconds = "", proof = ""] = /^(\d{1,12})\.([\w-]+)$/.exec(shown) ?? [];
  if (proof === "" || Math.abs(Date.now() / 1000 - Number(seconds)) > proofSeconds) return false;
  return keys.statusProofs(textOf(purpose, seconds)).some((one) => isSame(proof, one));
}

export function isSame(shown: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(shown)), Buffer.from(hashOf(secret)));
}

const textOf = (purpose: Purpose, seconds: string) => (purpose === "status" ? seconds : `${purpose} ${seconds}`);
