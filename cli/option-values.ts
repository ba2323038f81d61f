/** How values of flags are read. */
import { InvalidArgumentError } from "commander";

/** A flag that may stand several times. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
