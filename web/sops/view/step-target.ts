import { percentDecoded } from "#core/text/percent-decoded.ts";

/** The step that an address names, as in search results and links to steps. */
export interface StepTarget {
  /** The id of the step, or of the heading above the step; empty above the first heading. */
  anchor: string;
  /** The step's number as shown; null if it has none. */
  step: string | null;
  /** The beginning of the step's text. */
  at: string | null;
  /** The first words in the step that the search found. */
  words?: string | null;
}

/** Returns the step that an address names; null if it names none. */
export function stepTargetOf({ search, hash }: { search: string; hash: string }): StepTarget | null {
  const params = new URLSearchParams(search);
  const [step, at, words] = [params.get("step"), params.get("at"), params.get("words")];
  return step === null && at === null && !hash.includes("step.")
    ? null
    : { anchor: percentDecoded(hash.slice(1)), step, at, words };
}
