import { AppError } from "#core/errors.ts";
import { refusals } from "./refusals.ts";

/** Checks that the company has fewer than `most` of these records. @throws AppError limit_reached */
export function assertBelowLimit(most: number, taken: number, what: "categories" | "invitations" | "teams"): void {
  if (taken < most) return;
  throw new AppError("limit_reached", refusals.tooMany({ most, what }), { taken, most });
}
