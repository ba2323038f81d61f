import { expect, it, test } from "vitest";
import { canonicalBody } from "#core/import/markdown/canonical-body.ts";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { listDifferences } from "../../test/faithful/lists.ts";
import { formatMarkdown } from "./format.ts";
import { splitListsAtNumberJumps } from "./list-numbers.ts";
import { parseMarkdown } from "./parse.ts";
import { renderHtml } from "./render.ts";

const notes = (text: string) =>
  readMarkdownDocument({ path: "a.md", text: `# T\n\n${text}` })
    .report.filter(({ code }) => code === "list-numbers")
    .map(({ line, message }) => `${line}: ${message}`);

test.each([
  ["a gap", "1. a\n2. b\n7. c\n", "1. a\n2. b\n7. c\n"],
  ["steps of ten", "10. a\n20. b\n30. c\n", "10. a\n20. b\n30. c\n"],
  ["downwards", "3) a\n2) b\n1) c\n", "3. a\n2. b\n1. c\n"],
  ["leading zeros", "01. a\n02. b\n", "01. a\n02. b\n"],
  ["equal numbers, which the reader of Markdown counts", "3. a\n3. b\n3. c\n", "3. a\n4. b\n5. c\n"],
  ["a wider number below a narrow one", "9. a\n   - x\n20. b\n    - y\n", "9. a\n   - x\n20. b\n    - y\n"],
  ["a list in a quote in an item", "- a\n\n  > 4. b\n  > 9. c\n", "- a\n\n  > 4. b\n  > 9. c\n"],
])("fmt keeps %s", (_, text, wanted) => {
  expect(formatMarkdown(text)).toBe(wanted);
});

test.each([
  ["a gap", "1. a\n2. b\n7. c\n8. d\n", "1. a\n2. b\n\n7) c\n8) d\n"],
  ["several gaps", "10. a\n20. b\n30. c\n", "10. a\n\n20) b\n\n30. c\n"],
  ["a gap in an inner list", "- x\n  1. a\n  7. b\n     more\n- y\n", "- x\n  1. a\n  7) b\n     more\n- y\n"],
  ["a loose list", "1. a\n\n2. b\n\n4. c\n\n   more\n\n5. d\n", "1. a\n\n2. b\n\n4) c\n\n   more\n\n5) d\n"],
  ["a gap below another list", "1. a\n\n1) b\n3) c\n", "1. a\n\n1) b\n\n3. c\n"],
  ["numbers without a gap", "4. a\n5. b\n", "4. a\n5. b\n"],
  ["equal numbers", "1. a\n1. b\n", "1. a\n2. b\n"],
])("a stored text shows the numbers of %s", (_, text, wanted) => {
  expect(canonicalBody({ markdown: text, title: "T" }).markdown).toBe(wanted);
});

it("names each jump with its line in the file and both numbers", () => {
  expect(notes("1. a\n2. b\n7. c\n\n- x\n\n  3. d\n  3. e\n  9. f\n")).toEqual([
    "5: a new list begins, because the numbers go from 2 to 7",
    "10: a new list begins, because the numbers go from 3 to 3",
    "11: a new list begins, because the numbers go from 3 to 9",
  ]);
});

it("leaves a list alone that is not from the source", () => {
  const tree = parseMarkdown("1. a\n3. b\n");
  expect(splitListsAtNumberJumps(tree, "something else entirely, of any length")).toEqual([]);
  expect(tree.children).toHaveLength(1);
});

it("keeps the numbers in the text where no second list can be written, and says what views show", () => {
  const text = "8. x\n3. y\n</pre>\n";
  expect(canonicalBody({ markdown: text, title: "T" }).markdown).toBe(text);
  expect(notes(text)).toEqual(["4: the text has 3 after 8, but views count on"]);
});

it("shows the numbers that were written, in random lists", () => {
  expect(listDifferences(1, 60)).toEqual([]);
});

it("shows the rules of a club by the numbers that other rules cite", () => {
  const rules =
    "3.  #### Money\n\n    The treasurer\n\n    1.  keeps the book;\n    2.  pays bills;\n    4.  holds a reserve;\n    7.  files the tax form.\n\n    It helps if the treasurer\n\n    1.  was a member for 2 years.\n";
  const html = renderHtml(canonicalBody({ markdown: rules, title: "T" }).markdown).replace(/\s+/g, " ");
  expect(html).toMatch(/^<ol start="3"> <li> <h4/);
  expect(html).toMatch(/<ol start="7"> <li>files the tax form.<\/li> <\/ol> <p>It helps/);
});
