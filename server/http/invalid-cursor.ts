import { AppError } from "#core/errors.ts";
import { refusals } from "./refusals.ts";

/** The refusal of a cursor that no server made. */
export function invalidCursor(): AppError {
  return new AppError("invalid_input", refusals.cursor(), { cursor: refusals.cursorField() });
}
