import { oddRows, rowMessage } from "#core/markdown/table-rows.ts";
import type { Rule } from "../rule.ts";

/** Each row has as many cells as the header. */
export const unevenRows: Rule = {
  id: "table/uneven-rows",
  severity: "warning",
  fixable: "no",
  source: "GFM 4.10; markdownlint MD056",
  why: "Readers don't see the cells beyond the header, and a missing cell moves values below the wrong heading.",
  create: ({ tree, report }) => ({
    done() {
      for (const odd of oddRows(tree)) report(capitalized(rowMessage(odd)), odd.row);
    },
  }),
  good: [
    "| Part | Limit |\n| --- | --- |\n| Oil | 40 l |\n| Water | |\n",
    "| Key | Code |\n| --- | --- |\n| either | `a\\|b` |\n",
  ],
  bad: [
    { text: "| Part | Limit |\n| --- | --- |\n| Oil | 40 l | blue |\n", lines: [3] },
    { text: "| Part | Limit |\n| --- | --- |\n| Oil |\n", lines: [3] },
    { text: "| Key | Code | Note |\n| --- | --- | --- |\n| either | `a|b` |\n", lines: [3] },
  ],
};

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
