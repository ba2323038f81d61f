import fc from "fast-check";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { remark } from "remark";
import { describe, expect, it } from "vitest";
import { corpusFiles, textOf } from "../../test/corpus.ts";
import { parseFile } from "./parse-file.ts";

/** Every part of the dialect, needed or not. */
const whole = (text: string) =>
  remark()
    .data({
      micromarkExtensions: [frontmatter(["yaml"]), gfmTable(), gfmTaskListItem()],
      fromMarkdownExtensions: [
        frontmatterFromMarkdown(["yaml"]),
        gfmTableFromMarkdown(),
        gfmTaskListItemFromMarkdown(),
      ],
    })
    .parse(text);

describe("parseFile", () => {
  it.each([
    "a\n:-\nb\n",
    "| a |\r| - |\r",
    "> - | a | b |\n>   |---|:-:|\n>   | 1 | 2 |\n",
    "a\n| b | c |\n| - | - |\n| 1 |\nlazy\n\n| x |\n| - |",
    "> | a |\n> | - |\n| lazy |\n",
    "text\r\n\r\n| a |\r\n| - |\r\n| 1 |\r\n- | b |\r\n  |:-:|\r\n  | 2 |\r\n",
    "| a |\n| - |\n| - |\n| - |\n",
    "1. a | b\n   -|-\n",
    "- [ ] a\n- [x] b\n- [\r\n] c\n",
    "\uFEFF---\ntitle: x\n---\n\ntext\n",
    "---\na: 1\n---\n| a |\n|\t-\t|\n",
  ])("leaves out nothing that %j needs", (text) => {
    expect(parseFile(text).tree).toEqual(whole(text));
  });

  it("reads made-up texts as the whole dialect would", () => {
    const piece = fc.constantFrom(
      "|",
      "-",
      ":",
      " ",
      "\n",
      "\n\n",
      "a",
      "[",
      "]",
      "x",
      "> ",
      "- ",
      "1. ",
      "---",
      "\t",
      "| - |\n",
      "\n| a |\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const text = pieces.join("");
        expect(parseFile(text).tree).toEqual(whole(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it("reads real texts as the whole dialect would", () => {
    for (const file of corpusFiles(".md", { oneIn: 16 })) {
      const text = textOf(file);
      expect(JSON.stringify(parseFile(text).tree) === JSON.stringify(whole(text)), file.name).toBe(true);
    }
  });
});
