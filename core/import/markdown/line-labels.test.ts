import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainText } from "#core/markdown/plain-text.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { canonicalBody } from "./canonical-body.ts";
import { readMarkdownDocument } from "./markdown-file.ts";

const read = (text: string) => {
  const { body, report } = readMarkdownDocument({ path: "a.md", text: `---\ntitle: T\n---\n\n${text}` });
  return {
    body,
    notes: report.filter(({ code }) => code === "labels").map(({ line, message }) => `${line}: ${message}`),
  };
};

/** What a reader sees, line by line. */
const shown = (markdown: string) =>
  renderHtml(markdown)
    .replace(/\n/g, " ")
    .replace(/<br>|<\/(?:p|li|h\d|td)>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const leave = `8. Leave is asked for in writing.
9. The lead answers
    a) within five days, or
    b) on the same day if it is urgent.

9a. Silence counts as a no.
    a) The writer can ask again.

10. See 9a and 9(b).

## Other rules

(1) First rule
(2) Second rule

@. Counted across the text.

(@ok) Counted and named.

As (@ok) says.

c. Third letter first
d. fourth

h. eight
i. nine
j. ten
`;

describe("labels of legal texts", () => {
  it("begin a line each, by import and by save, and the report names each kind once", () => {
    const { body, notes } = read(leave);
    expect(shown(body)).toEqual([
      "Leave is asked for in writing.",
      "The lead answers",
      "a) within five days, or",
      "b) on the same day if it is urgent.",
      "9a. Silence counts as a no.",
      "a) The writer can ask again.",
      "See 9a and 9(b).",
      "Other rules",
      "(1) First rule",
      "(2) Second rule",
      "@. Counted across the text.",
      "(@ok) Counted and named.",
      "As (@ok) says.",
      "c. Third letter first",
      "d. fourth",
      "h. eight",
      "i. nine",
      "j. ten",
    ]);
    expect(canonicalBody({ markdown: leave, title: "T" }).markdown).toBe(body);
    expect(notes).toEqual([
      '7: "a)" and 2 more labels like it stay text, each on a line of its own',
      '10: "9a." stays text: no list has such a number',
      '17: "(1)" and 1 more label like it stay text, each on a line of its own',
      '20: "@." stays text: no list has such a number',
      '22: "(@ok)" stays text: no list has such a number',
      '26: "c." and 4 more labels like it stay text, each on a line of its own',
    ]);
  });

  it.each([
    ["letters of a clause", "A. One\nB. Two\n", ["A. One", "B. Two"]],
    ["numerals", "iii) Three\niv) Four\n", ["iii) Three", "iv) Four"]],
    [
      "numbers of two parts",
      "2.1 One\n2.2 Two\n2.2.1 Part\n3.1 Three\n",
      ["2.1 One", "2.2 Two", "2.2.1 Part", "3.1 Three"],
    ],
    ["numbers that can't begin a list below a line", "Rules:\n7. Seven\n9. Nine\n", ["Rules:", "7. Seven", "9. Nine"]],
    ["sections", "\u00a7 3 Three\n\u00a7 4 Four\n", ["\u00a7 3 Three", "\u00a7 4 Four"]],
    ["one label below a colon", "The lead:\n(a) answers\n", ["The lead:", "(a) answers"]],
    ["italic lines", "**Authors**\n*(1) A. Ito*\n*(2) B. Sow*\n", ["Authors", "(1) A. Ito", "(2) B. Sow"]],
    ["labels within bold words", "**a) One\nb) Two**\n", ["a) One", "b) Two"]],
    ["labels in a quote", "> (a) One\n> (b) Two\n", ["(a) One", "(b) Two"]],
    ["a letter after the number of its item", "9. Nine\n9a. Between\n", ["Nine", "9a. Between"]],
  ])("%s stay lines", (_, text, lines) => {
    const { body, notes } = read(text);
    expect(shown(body)).toEqual(lines);
    expect(notes).not.toEqual([]);
    expect(read(body).body).toBe(body);
  });

  it.each([
    "This is plan\nb. not a step\n",
    "as it is said in\n\u00a7 3 of the law\n",
    "The total is\n1986. Then it fell.\n",
    "Ask the lead or\n(a) deputy of the lead\n",
    "We met\nA. Ito and then\nM. Sow at the plant.\n",
    "The limit is\n2.5 bar, and later\n7.5 bar.\n",
    "Two lines\nof prose\n",
    "Owner: A\nDate: B\n",
  ])("prose keeps its lines: %j", (text) => {
    expect(read(text)).toEqual({ body: text, notes: [] });
  });

  it.each([
    [
      "Owner: A\nDate: B\nReview by: C\n",
      ['6: 2 lines such as "Date:" join the line above in views: end the line above with \\ to keep them apart'],
    ],
    ["Owner: A\\\nDate: B\n", []],
    ["Owner: A\n\nDate: B\n", []],
    ["It is so: we wait\nand then go: now\n", []],
  ])("fields that run together are named: %j", (text, notes) => {
    const { report, body } = readMarkdownDocument({ path: "a.md", text: `---\ntitle: T\n---\n\n${text}` });
    expect(report.flatMap(({ code, line, message }) => (code === "line-ends" ? [`${line}: ${message}`] : []))).toEqual(
      notes,
    );
    expect(body).toBe(text);
  });

  it("changes line ends only, in any text", () => {
    const piece = fc.constantFrom(
      "(a) ",
      "(b) ",
      "a) ",
      "b) ",
      "9. ",
      "9a. ",
      "2.1 ",
      "i. ",
      "@. ",
      "*",
      "**",
      "word",
      "[x](y)",
      ": ",
      "\n",
      "\n",
      "\n\n",
      "> ",
      "- ",
      "`c`",
      "<br>",
      "\\\n",
      "| a |\n| - |\n",
    );
    const words = (text: string) => plainText(parseMarkdown(text));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join("");
        const stored = canonicalBody({ markdown: text, title: "T" }).markdown;
        expect(words(stored)).toBe(words(text));
        expect(canonicalBody({ markdown: stored, title: "T" }).markdown).toBe(stored);
      }),
      { numRuns: 1_000 },
    );
  });
});
