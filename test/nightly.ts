/** Whether this is the nightly run (`NIGHTLY=1`). Tests that take minutes and rarely find a fault run only then. */
export const isNightly = process.env["NIGHTLY"] === "1";

/** How many generated inputs a test of conversions tries: some in a usual run, more at night, as asked by `bench faithful`. */
export function faithfulSeeds(usual: number): number {
  return Number(process.env["FAITHFUL_SEEDS"] ?? (isNightly ? 4 * usual : usual));
}
