import { AppError } from "#core/errors.ts";

/** @throws AppError limit_reached when the company already has `most` of them */
export function assertBelow(most: number, taken: number, what: string): void {
  if (taken < most) return;
  throw new AppError("limit_reached", `A company has at most ${most.toLocaleString("en")} ${what}`, { taken, most });
}
