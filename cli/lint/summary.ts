import type { Totals } from "./report/report.ts";

/** The line at the end, for people. */
export function summary(totals: Totals, fixable: number, dry: boolean): string {
  const parts = [
    counted(totals.error, "error"),
    counted(totals.warning, "warning"),
    ...(totals.info > 0 ? [`${totals.info} info`] : []),
  ];
  const more = [
    ...(totals.fixed > 0 ? [`${totals.fixed} ${dry ? "would be fixed" : "fixed"}`] : []),
    ...(totals.accepted > 0 ? [`${totals.accepted} in the baseline`] : []),
    ...(fixable > 0 ? [`--fix repairs ${fixable}`] : []),
  ];
  return [`${parts.join(", ")} in ${counted(totals.files, "file")}`, ...more].join("; ");
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
