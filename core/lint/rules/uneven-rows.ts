import { oddRows, rowSentence } from "#core/markdown/table-rows.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.table/uneven-rows", {
  why: "Readers don't see the cells beyond the header, and a missing cell moves values below the wrong heading.",
  cut: "A pipe in code ends the cell: write it as `\\|`",
  counts:
    "The row has {cells, plural, one {{cells} cell} other {{cells} cells}} and the table {columns, plural, one {{columns} column} other {{columns} columns}}",
  hidden: '{counts}: "{words}" isn\'t shown',
});

/** Each row has as many cells as the header. */
export const unevenRows: Rule = {
  id: "table/uneven-rows",
  severity: "warning",
  fixable: "no",
  source: "GFM 4.10; markdownlint MD056",
  why: texts.why(),
  create: ({ tree, report }) => ({
    done() {
      for (const odd of oddRows(tree)) report(rowSentence(odd, texts), odd.row);
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
