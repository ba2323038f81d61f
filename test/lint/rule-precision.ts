/** Measures how often each rule is right, by issues that people judged. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { issuesOfCorpus } from "./issue-sample.ts";

const Judged = z.array(
  z.object({
    rule: z.string(),
    path: z.string(),
    line: z.int(),
    /** The hash of message and line, because texts of others aren't stored here. */
    hash: z.string(),
    /** True if the message is true of its line, and worth the reader's time. */
    right: z.boolean(),
  }),
);

export interface Precision {
  rule: string;
  judged: number;
  right: number;
  precision: number;
}

/** The precision of each rule, from judged issues that rules still report. `regulated` has every rule. */
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
