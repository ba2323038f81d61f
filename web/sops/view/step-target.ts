/** The step that an address names, as a search answer and a link to a step do. */
export interface StepTarget {
  /** Id of the step, or of the heading above; empty above the first. */
  anchor: string;
  /** As it is numbered, if it is. */
  step: string | null;
  /** How its text begins. */
  at: string | null;
}

/** What the address names, null if it names no step. */
export function targetOf({ search, hash }: { search: string; hash: string }): StepTarget | null {
  const params = new URLSearchParams(search);
  const [step, at] = [params.get("step"), params.get("at")];
  return step === null && at === null && !hash.includes("step.")
    ? null
    : { anchor: decodeURIComponent(hash.slice(1)), step, at };
}
