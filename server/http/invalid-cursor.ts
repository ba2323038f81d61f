import { AppError } from "#core/errors.ts";
import { refusals } from "./refusals.ts";

/** Creates the error for a cursor that no server has created. */
export function invalidCursorError(): AppError {
  return new AppError("invalid_input", refusals.cursor(), { cursor: refusals.cursorField() });
}
