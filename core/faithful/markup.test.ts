import { expect, it } from "vitest";
import { canonicalBody } from "#core/import/markdown/canonical-body.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { findMarksShownAsText } from "./markup.ts";

const marks = (text: string) => findMarksShownAsText(parseMarkdown(text), text).map(({ mark }) => mark);

it.each([
  ["**Achtung:**sofort", "**Achtung:**"],
  ["*Achtung:*sofort", "*Achtung:*"],
  ["_Achtung:_sofort", "_Achtung:_"],
  ["__Achtung:__sofort", "__Achtung:__"],
  ["** Achtung ** sofort", "** Achtung **"],
  ["**Achtung **sofort", "**Achtung **"],
  ["[a](b c.md)", "[a](b c.md)"],
])("readers see the marks of %s", (text, mark) => {
  expect(marks(text)).toEqual([mark]);
});

it.each([
  "**Achtung**: sofort",
  "2 * 3 * 4 mm, 200\\*300\\*50",
  "x = 2 ** 3 ** 4",
  "a_b_c, __init__, _x_",
  "`**a:**b` and \\*\\*a:\\*\\*b",
  "[a]({{ b c }})",
])("%s has none", (text) => {
  expect(marks(text)).toEqual([]);
});

it("is named by a save, with its line", () => {
  expect(canonicalBody({ markdown: "Stop.\n\n**Achtung:**sofort\n", title: "" }).notes).toMatchObject([
    { code: "changed-markup", line: 3, message: "markup that readers see as text: “**Achtung:**” (line 3)" },
  ]);
});
