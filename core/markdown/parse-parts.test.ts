import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseInParts } from "./parse-parts.ts";
import { parse } from "#markdown-parser";
import { parseMarkdown } from "./parse.ts";

function inParts(body: string) {
  const parts = parseInParts(body, parseMarkdown);
  let steps = 1;
  let step = parts.next();
  for (; !step.done; step = parts.next()) steps++;
  return { steps, root: step.value };
}

const prose = `${"Close the valve and write down what the gauge shows. ".repeat(40)}\n`;

describe("parseInParts", () => {
  it("gives way between sections, and ends with the very tree", () => {
    const body = `Why.\n\n# One\n\n${prose}\n## Two\n\n- a\n- b\n\n${prose}\n### Three\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n${prose}`;
    const { steps, root } = inParts(body);
    expect(steps).toBe(3);
    expect(root).toEqual(parseMarkdown(body));
  });

  it.each([
    ["a fence", `${prose}\n\`\`\`sh\n\n# no heading\n\n${prose}\n\`\`\`\n\n# A heading\n\n${prose}`],
    ["a fence that nothing closes", `${prose}\n~~~~\n\n# no heading\n\n${prose}~~~\n\n# none\n\n${prose}`],
    ["a fence in a list", `${prose}\n1. a\n\n   \`\`\`\n\n# A heading\n\n${prose}`],
    ["a fence further in", `${prose}\n   \`\`\`\n\n# no heading\n\n${prose}\n   \`\`\`\n`],
    [
      "code that begins like a fence",
      `${prose}\n\`\`\`a\`\`\` is code\n\n# A heading\n\n${prose}\n# Another\n\n${prose}`,
    ],
    [
      "a fence that a space of another kind leaves open",
      `${prose}\n\`\`\`\n\n\`\`\`\u00A0\n\n# no heading\n\n${prose}`,
    ],
    ["a line that only looks blank", `${prose}\n<div>\n\u00A0\n# no heading\n\n${prose}`],
    ["a comment", `${prose}\n<!-- from\n\n# no heading\n\n${prose}-->\n\n# A heading\n`],
    [
      "what a definition far below says",
      `[valve] and [^1].\n\n${prose}\n# A heading\n\n${prose}\n[valve]: /v\n\n[^1]: Note.\n`,
    ],
    ["lines that end as on Windows", `${prose}\r\n\r\n# A heading\r\n\r\n${prose}\r\n`],
    ["no text", ""],
    ["no line's end", `${prose}\n# A heading`],
    ["a byte order mark", `\uFEFF# A heading\n\n${prose}\n# Another\n\n${prose}`],
  ])("reads %s as parseMarkdown does", (_, body) => {
    expect(inParts(body).root).toEqual(parseMarkdown(body));
  });

  it("is how parseMarkdown reads a long text", () => {
    const section = `## Step\n\n- a\n  - b\n\n> c\n\n${prose}\n`;
    const body = section.repeat(60);
    expect(body.length).toBeGreaterThan(100_000);
    expect(parseMarkdown(body)).toEqual(parse(body, { frontMatter: false }));
  });

  it("reads any text as parseMarkdown does", () => {
    const piece = fc.constantFrom(
      "# A\n\n", "## B **b** `c`\n\n", "```\n", "~~~ sh\n", "````\n", "\n", "- a\n- b\n\n", "1. a\n   b\n\n", "> [!WARNING]\n> c\n\n",
      "| a | b |\n| - | - |\n| 1 | 2 |\n\n", "<div>\n\n", "</div>\n\n", "<pre>\n", "<!-- c", "-->\n\n", "[a]: /b\n\n", "[a] [^1]\n\n", "    code\n\n",
      "text\n# C\n", "a\n===\n\n", "***\n\n",
      "<div>\n",
      "\u00A0\n",
      "\f\n",
      "```\u00A0\n", "\t```\n", "www.example.com a@b.io\n\n", "- [ ] t\n\n", "![p](q)\n\n", "#\n\n", prose, prose,
    ); // prettier-ignore
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const body = pieces.join("");
        expect(inParts(body).root).toEqual(parseMarkdown(body));
      }),
      { numRuns: 300 },
    );
  });
});
