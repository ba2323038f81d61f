/**
 * Tests that also print figures. `npm test` runs them with reduced counts, `NIGHTLY=1` some of them with more.
 * `npm run bench -- proof` sets SOP_PROOF=1: the counts that `docs/security-tests.md` promises. It reads the figures they leave.
 */
import { appendFileSync } from "node:fs";
import { isNightly } from "./nightly.ts";

export const isProof = process.env["SOP_PROOF"] === "1";

export function count({ usual, nightly = usual, proof }: { usual: number; nightly?: number; proof: number }): number {
  if (isProof) return proof;
  return isNightly ? nightly : usual;
}

export interface ProofFigure {
  name: string;
  value: number;
  unit: string;
  /** What the value must be for the promise to hold, in words: `= 0`, `>= 5000`. */
  goal: string;
}

/** Left for the bench; nothing without it. */
export function recordFigure(figure: ProofFigure): void {
  const file = process.env["SOP_PROOF_FIGURES"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}
