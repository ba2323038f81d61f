import { AppError } from "#core/errors.ts";
import { refusals } from "./refusals.ts";

/** @throws AppError limit_reached when the company already has `most` of them */
export function assertBelow(most: number, taken: number, what: "categories" | "invitations" | "teams"): void {
  if (taken < most) return;
  throw new AppError("limit_reached", refusals.tooMany({ most, what }), { taken, most });
}
