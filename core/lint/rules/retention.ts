import type { RootContent, Table } from "mdast";
import { plainText } from "#core/markdown/plain-text.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const time =
  /\b(?:\d+|one|two|three|four|five|six|seven|ten)\s+(?:days?|weeks?|months?|years?)\b|\blife(?:time)? of\b|\bpermanent|\bindefinite|\bas long as\b|\buntil\b/i;
const place =
  /\b(?:kept|stored|filed|saved|archived?|held|recorded|retained)\s+(?:in|at|on|by|with)\b|\b(?:system|portal|documentation|office|server|folder|binder|archive|database|cabinet|drive|repository|register|file)s?\b/i;
const timeColumn = /retention|retain|kept for|keep for|period|how long|duration|time/i;
const placeColumn = /kept in|where|place|location|stored|storage|filed|archive|system/i;

const texts = sentences("core.lint.rec/retention", {
  why: "A record that no one can find, or that was thrown away too early, proves nothing.",
  place: "Records: say where they are kept",
  time: "Records: say how long",
  both: "Records: say where they are kept and how long",
});

/** The section on records says what to keep, where, and for how long. */
export const retention: Rule = {
  id: "rec/retention",
  severity: "warning",
  fixable: "no",
  english: true,
  source: "ISO 9001 §7.5.3; 21 CFR 211.180",
  why: texts.why(),
  create: ({ report }) => ({
    section: ({ kinds, body, hasParts, heading }) => {
      if (!kinds.includes("records") || hasParts || body.length === 0) return;
      const words = body.map((node) => plainText(node)).join("\n");
      if (/\bno records?\b/i.test(words)) return;
      const tables = body.filter((node): node is Table => node.type === "table");
      const hasPlace = isMentionedInTableOrText(tables, placeColumn, body, place);
      const hasTime = isMentionedInTableOrText(tables, timeColumn, body, time);
      if (!hasPlace || !hasTime) report(texts[hasPlace ? "time" : hasTime ? "place" : "both"](), heading);
    },
  }),
  good: [
    "## Records\n\n| Record | Kept in | Retention |\n| --- | --- | --- |\n| Log | Archive | 3 years |\n",
    "## Records\n\nThe log is kept in the archive for 3 years.\n",
    "## Records\n\nThis procedure makes no records.\n",
  ],
  bad: [
    { text: "## Records\n\n- Log\n- Check sheet\n", lines: [1] },
    { text: "## Records\n\n| Record | Kept in |\n| --- | --- |\n| Log | Archive |\n", lines: [1] },
  ],
};

/** Tells whether a section has a matching column; in a section without tables, whether its text has matching words. */
function isMentionedInTableOrText(
  tables: readonly Table[],
  column: RegExp,
  body: readonly RootContent[],
  words: RegExp,
): boolean {
  const heads = tables.flatMap(({ children: [head] }) => head?.children.map((cell) => plainText(cell)) ?? []);
  if (tables.length > 0) return heads.some((head) => column.test(head));
  return body.some((node) => words.test(plainText(node)));
}
