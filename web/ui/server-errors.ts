import type { FieldValues, Path, UseFormSetError } from "react-hook-form";
import { ApiError } from "#core/api/client.ts";

/** Error codes whose details map fields to messages. */
const codesWithFieldDetails: readonly unknown[] = ["invalid_input", "conflict"];

/**
 * Shows the server's messages below the fields that the error names. Returns false if it names none of `fields`; the
 * caller then shows the message above the form.
 */
export function showFieldErrors<T extends FieldValues>(
  error: unknown,
  fields: readonly Path<T>[],
  setError: UseFormSetError<T>,
): boolean {
  if (!(error instanceof ApiError) || !codesWithFieldDetails.includes(error.code)) return false;
  const details = (error.details ?? {}) as Record<string, unknown>;
  const named = fields.filter((field) => typeof details[field] === "string");
  for (const [index, field] of named.entries()) {
    setError(field, { type: "server", message: String(details[field]) }, { shouldFocus: index === 0 });
  }
  return named.length > 0;
}

/** Returns the server's message about a field; undefined if the error isn't about that field. */
export function fieldMessage(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError) || !codesWithFieldDetails.includes(error.code)) return undefined;
  const message = ((error.details ?? {}) as Record<string, unknown>)[field];
  return typeof message === "string" ? message : undefined;
}
