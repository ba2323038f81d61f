/** How often each rule is right, by issues that were judged by reading them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { issuesOfCorpus } from "./issue-sample.ts";

const Judged = z.array(
  z.object({
    rule: z.string(),
    path: z.string(),
    line: z.int(),
    /** Of message and line: texts of others aren't stored here. */
    hash: z.string(),
    /** Whether the message is true of its line, and worth the reader's time. */
    right: z.boolean(),
  }),
);

export interface Precision {
  rule: string;
  judged: number;
  right: number;
  precision: number;
}

/** Of the judged issues, those that rules still report. `regulated` has every rule. */
export function precisionOfRules(): Precision[] {
  const file = readFileSync(join(import.meta.dirname, "judged-issues.json"), "utf8");
  const reported = new Set(issuesOfCorpus("regulated").map(({ rule, path, hash }) => `${rule} ${path} ${hash}`));
  const judged = Judged.parse(JSON.parse(file)).filter(({ rule, path, hash }) =>
    reported.has(`${rule} ${path} ${hash}`),
  );
  return [...Map.groupBy(judged, ({ rule }) => rule)].map(([rule, rows]) => {
    const right = rows.filter((row) => row.right).length;
    return { rule, judged: rows.length, right, precision: right / rows.length };
  });
}
