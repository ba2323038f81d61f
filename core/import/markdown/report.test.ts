import { expect, it } from "vitest";
import { createReport, groupNotes, namedLines, noteTexts, notesSummary } from "./report.ts";

const notes = [
  { code: "title", message: 'the title is "A"' },
  { code: "attribute-list", message: "{ .x } is kept as written", line: 4 },
  { code: "attribute-list", message: "{ .x } is kept as written", line: 9 },
  { code: "link", message: "3 links lead to no document of this import: a.md (line 2, 3), b.md (line 7)", line: 2 },
  { code: "link", message: "the link #x leads to no heading", line: 8 },
  { code: "changed-word", message: "Oil → Oli", line: 5 },
];

it("notes of the same words are one, with all lines", () => {
  expect(groupNotes(notes).map(({ lines }) => lines)).toEqual([[], [4, 9], [2], [8], [5]]);
  expect(noteTexts(notes)).toContain("line 4, 9: { .x } is kept as written");
});

it("constructs that become the same are one note, with their places", () => {
  const kept = (name: string, line: number) => ({ code: "shortcode", message: `${name} is kept as written`, line });
  const texts = noteTexts([
    kept("{{< tabs >}}", 3),
    kept("{{< tab >}}", 4),
    kept("{{< tab >}}", 9),
    { code: "admonition", message: "!!! note became an alert (NOTE)", line: 5 },
    { code: "admonition", message: "!!! tip became an alert (TIP)", line: 6 },
    { code: "admonition", message: "??? info became an alert (NOTE)", line: 7 },
    { code: "snippet", message: "--8<-- is kept in a block of mkdocs code", line: 8 },
  ]);
  expect(texts).toEqual([
    "line 3: kept as written: {{< tabs >}} (line 3), {{< tab >}} (line 4, 9)",
    "line 5: became an alert (NOTE): !!! note (line 5), ??? info (line 7)",
    "line 6: !!! tip became an alert (TIP)",
    "line 8: --8<-- is kept in a block of mkdocs code",
  ]);
});

it("the summary counts what changes or is left out, links first, and no usual note", () => {
  expect(notesSummary(notes)).toBe("4 links that lead nowhere, 2 attribute lists, 1 changed word");
  expect(notesSummary(notes.slice(0, 1))).toBe("");
});

it("counts a line as named only where its note is on words", () => {
  const report = createReport("a.md");
  report.add("labels", '"a)" stays text', 1);
  report.add("list-numbers", "a new list begins at 3", 2);
  report.add("attribute-list", "{ .x } is kept as written", 3);
  report.add("admonition", "!!! note became an alert (NOTE)", 4);
  expect(namedLines(report)).toEqual(new Set([4]));
});
