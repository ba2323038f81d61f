/** Runs of more files than this use threads and collect memory; smaller ones load neither. */
export const manyFiles = 1_000;

/** @returns what to call after each file: a run of few files collects nothing, and loads nothing for it */
export async function collectorFor(files: number): Promise<() => void> {
  return files > manyFiles ? (await import("./memory.ts")).createCollector() : () => {};
}
