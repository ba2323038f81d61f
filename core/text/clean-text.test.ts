import { expect, test } from "vitest";
import { requiredText } from "#core/contract/parts.ts";
import { canonicalBody } from "#core/import/markdown/canonical-body.ts";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { cleanText } from "./clean-text.ts";

const reversing = ["\u202a", "\u202b", "\u202c", "\u202d", "\u202e"];
const noncharacters = ["\ufdd0", "\ufdef", "\ufffe", "\uffff", "\u{1fffe}", "\u{10ffff}"];

test("characters that turn the text behind them, and noncharacters, leave a text with a note", () => {
  for (const one of [...reversing, ...noncharacters]) {
    const { markdown, notes } = canonicalBody({ title: "T", markdown: `Check it.\n\nValve must stay ${one}nepo.\n` });
    const code = one.codePointAt(0)?.toString(16).toUpperCase();
    expect(markdown).toBe("Check it.\n\nValve must stay nepo.\n");
    expect(notes).toMatchObject([
      { line: 3, code: "control-characters", message: `the control character U+${code} was dropped` },
    ]);
    expect(cleanText(`a${one}b`)).toBe("ab");
  }
});

test("isolates, marks and joiners, which scripts need, stay", () => {
  const text = "\u2067שלום\u2069 \u200eA\u200f می\u200cخواهم क्\u200dष\n";
  expect(canonicalBody({ title: "T", markdown: text })).toEqual({ markdown: text, notes: [] });
});

test("titles and descriptions lose them too, and spaces without width", () => {
  for (const one of [...reversing, ...noncharacters, "\u200b", "\u2060", "\ufeff"]) {
    expect(requiredText("Title is required").parse(`Val${one}ve`)).toBe("Valve");
    expect(requiredText("Title is required").safeParse(one).success).toBe(false);
    const named = readMarkdownDocument({
      path: "a.md",
      text: `---\ntitle: Val${one}ve\ndescription: Cl${one}ose\n---\n\nText\n`,
    });
    expect(named.frontMatter).toMatchObject({ title: "Valve", description: "Close" });
    // in a text, U+FEFF is a space
    if (one === "\ufeff") continue;
    const read = readMarkdownDocument({ path: "a.md", text: `# Val${one}ve\n\nClose${one} it.\n` });
    expect(read.frontMatter).toMatchObject({ title: "Valve", description: "Close it." });
  }
});
