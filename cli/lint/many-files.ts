/**
 * The maximum number of files of a small run. A larger run starts threads and collects garbage itself; a small run
 * loads no code for either.
 */
export const smallRunFilesAtMost = 1_000;

/** @returns a function to call after each file; in a small run it does nothing */
export async function loadGarbageCollector(files: number): Promise<() => void> {
  return files > smallRunFilesAtMost ? (await import("./memory.ts")).createGarbageCollector() : () => {};
}
