/**
 * Tests that also print figures. `npm test` runs them with reduced counts, and `NIGHTLY=1` raises some. `npm run bench
 * -- proof` sets SOP_PROOF=1 for the counts that `docs/security-tests.md` promises, and reads the recorded figures.
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
  /** The value that the promise requires, in words: `= 0`, `>= 5000`. */
  goal: string;
}

/** Records a figure for the bench; does nothing without it. */
export function recordFigure(figure: ProofFigure): void {
  const file = process.env["SOP_PROOF_FIGURES"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}
