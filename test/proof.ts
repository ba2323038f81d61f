/**
 * Tests that also print figures: `npm test` runs them with reduced counts, `npm run bench -- proof` runs the same tests with
 * SOP_PROOF=1 and the counts that `docs/security-tests.md` promises, and reads the figures they leave.
 */
import { appendFileSync } from "node:fs";

export const isProof = process.env["SOP_PROOF"] === "1";

export function count({ usual, proof }: { usual: number; proof: number }): number {
  return isProof ? proof : usual;
}

export interface ProofFigure {
  name: string;
  value: number;
  unit: string;
  /** What the value must be for the promise to hold, in words: `= 0`, `>= 5000`. */
  goal: string;
}

/** Left for the bench; nothing without it. */
export function leaveFigure(figure: ProofFigure): void {
  const file = process.env["SOP_PROOF_FIGURES"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}
