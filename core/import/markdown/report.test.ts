import { messageAndReasonOf } from "#core/language/catalog.ts";
import { expect, it } from "vitest";
import { texts as constructTexts } from "../../dialects/texts.ts";
import { setSpokenLanguage } from "../../language/spoken.ts";
import { texts } from "./note-texts.ts";
import { linkTexts } from "../link-texts.ts";
import { createReport, linesWithNotedWordChanges, noteTexts, lossSummary } from "./report.ts";

const { alert, construct, kept, keptInCode } = constructTexts;

const notes = [
  { code: "title", message: 'the title is "A"' },
  { code: "attribute-list", ...messageAndReasonOf(construct({ name: "{ .x }", what: kept() })), line: 4 },
  { code: "attribute-list", ...messageAndReasonOf(construct({ name: "{ .x }", what: kept() })), line: 9 },
  {
    code: "link",
    ...messageAndReasonOf(linkTexts.link({ count: 3, links: "a.md (line 2, 3), b.md (line 7)" })),
    line: 2,
  },
  { code: "link", ...messageAndReasonOf(linkTexts.heading({ count: 1, links: "#x" })), line: 8 },
  { code: "changed-words", message: "Oil → Oli", line: 5 },
];

it("notes of one kind are one, with all places, in the order of the text", () => {
  expect(noteTexts(notes)).toEqual([
    "line 2: 3 links lead to no document of this import: a.md (line 2, 3), b.md (line 7)",
    "line 4: { .x } is kept as written (also in line 9)",
    "line 5: Oil → Oli",
    "line 8: the link #x leads to no heading",
    'the title is "A"',
  ]);
});

it("other places of a kind say what differs there", () => {
  const jump = (line: number, from: number, to: number) => ({
    code: "list-numbers",
    line,
    message: `a new list begins, because the numbers go from ${from} to ${to}`,
  });
  const missing = (line: number, name: string) => ({ code: "image", line, message: `${name} is not there` });
  const surplus = (line: number, count: number, words: string) => ({
    code: "table-cells",
    line,
    message: `the row has ${count} cells and the table 2 columns: "${words}" isn't shown`,
  });
  const all = [surplus(30, 3, "9"), surplus(31, 4, "7 8"), jump(5, 1, 4), jump(9, 4, 7), jump(9, 1, 4)];
  expect(noteTexts([...all, missing(7, "a.png"), missing(12, "b c.png")])).toEqual([
    "line 5: a new list begins, because the numbers go from 1 to 4 (also in line 9); line 9: 4 to 7",
    "line 7: a.png is not there; line 12: b c.png",
    `line 30: the row has 3 cells and the table 2 columns: "9" isn't shown; line 31: 4 cells and the table 2 columns: "7 8"`,
  ]);
  expect(noteTexts(Array.from({ length: 14 }, (_, at) => jump(at + 1, at, at + 2)))).toEqual([
    expect.stringMatching(/from 0 to 2; line 2: 1 to 3; .*; line 11: 10 to 12; and 3 more$/),
  ]);
});

it("constructs that become the same are one note, with their places", () => {
  const kept = (name: string, line: number) => ({ code: "shortcode", message: `${name} is kept as written`, line });
  const said = noteTexts([
    kept("{{< tabs >}}", 3),
    kept("{{< tab >}}", 4),
    kept("{{< tab >}}", 9),
    { code: "admonition", message: "!!! note became an alert (NOTE)", line: 5 },
    { code: "admonition", message: "!!! tip became an alert (TIP)", line: 6 },
    { code: "admonition", message: "??? info became an alert (NOTE)", line: 7 },
    { code: "snippet", message: "--8<-- is kept in a block of mkdocs code", line: 8 },
  ]);
  expect(said).toEqual([
    "line 3: {{< tabs >}} is kept as written; line 4, 9: {{< tab >}}",
    "line 5: !!! note became an alert (NOTE); line 6: tip became an alert (TIP); line 7: ??? info",
    "line 8: --8<-- is kept in a block of mkdocs code",
  ]);
});

it("the summary counts what changes or is left out, links first, and no usual note", () => {
  expect(lossSummary(notes)).toBe("4 links that lead nowhere, 1 note on changed words, 2 attribute lists");
  expect(lossSummary(notes.slice(0, 1))).toBe("");
});

it("counts a line as named only where its note is on words", () => {
  const report = createReport("a.md");
  report.add("labels", texts.labelsOnly({ first: "a)", more: 0 }), 1);
  report.add("list-numbers", texts.jump({ from: 1, to: 3 }), 2);
  report.add("attribute-list", construct({ name: "{ .x }", what: kept() }), 3);
  report.add("admonition", construct({ name: "!!! note", what: alert({ kind: "NOTE" }) }), 4);
  report.add("snippet", construct({ name: "--8<--", what: keptInCode() }), 5);
  expect(linesWithNotedWordChanges(report)).toEqual(new Set([4]));
});

it("an HTML comment is in no summary, because no reader sees it", () => {
  const note = (name: string) => ({ code: "raw-html", ...messageAndReasonOf(construct({ name, what: kept() })) });
  expect(lossSummary([note("<!-- x -->"), note("<abbr>")])).toBe("1 element of HTML");
});

it("places and what differs are in the reader's language", () => {
  const jump = (name: string, line: number) => ({
    code: "shortcode",
    line,
    ...messageAndReasonOf(construct({ name, what: kept() })),
  });
  setSpokenLanguage({
    code: "de",
    texts: {
      "core.dialects": { construct: "{name} {what}", kept: "bleibt wie geschrieben" },
      "core.import.notes": { line: "Zeile {lines}", also: "{message} (auch in {places})" },
      "core.import.counted": { shortcode: "{count} Kürzel" },
    },
  });
  try {
    const found = [jump("{{< a >}}", 3), jump("{{< b >}}", 4), jump("{{< a >}}", 5)];
    expect(noteTexts(found)).toEqual([
      "Zeile 3: {{< a >}} bleibt wie geschrieben (auch in Zeile 5); Zeile 4: {{< b >}}",
    ]);
    expect(lossSummary(found)).toBe("3 Kürzel");
  } finally {
    setSpokenLanguage({ code: "en", texts: {} });
  }
});
