/** True in the nightly run (`NIGHTLY=1`). Tests that take minutes and rarely find a fault run only then. */
export const isNightly = process.env["NIGHTLY"] === "1";

/**
 * The number of generated inputs for a test of conversions: some in a usual run, more at night, or as `bench faithful`
 * sets it.
 */
export function faithfulSeeds(usual: number): number {
  return Number(process.env["FAITHFUL_SEEDS"] ?? (isNightly ? 4 * usual : usual));
}
