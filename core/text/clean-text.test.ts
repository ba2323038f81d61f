import fc from "fast-check";
import { expect, test } from "vitest";
import { requiredCleanTextSchema } from "#core/contract/parts.ts";
import { bodyOfHtml } from "#core/import/html/content.ts";
import { canonicalBody } from "#core/import/markdown/canonical-body.ts";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { cleanText } from "./clean-text.ts";
import { sentences } from "#core/language/catalog.ts";

const { titleMissing } = sentences("clean-text.test", { titleMissing: "Title is required" });
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

const turning = [..."\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"];
const anyTurning = new RegExp(`[${turning.join("")}]`);
const nameOf = (one: string) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

test("text without a letter or digit from the right has nothing that turns it, in any construct and spelling", () => {
  const reference = (one: string) => {
    const code = one.codePointAt(0) ?? 0;
    return fc.constantFrom(
      one,
      `&#${code};`,
      `&#x${code.toString(16)};`,
      `&#X0${code.toString(16).toUpperCase()};`,
      one === "\u200f" ? "&rlm;" : one,
      one === "\u200e" ? "&lrm;" : one,
    );
  };
  const mark = fc.constantFrom(...turning).chain(reference);
  const words = fc.constantFrom("1 → 2", "20 - 80 °C", "V-101/2", "5 bar", "stay open", "(a)", "5 < 7");
  const phrase = fc.array(fc.oneof(mark, words), { minLength: 2, maxLength: 6 }).map((parts) => parts.join(" "));
  const constructs = [
    (text: string) => text,
    (text: string) => `<p>\\${text.replaceAll(/(#\w+);/g, "$1")}</p>`,
    (text: string) => `<p>${text.replaceAll(/#x?/gi, "$&0000000")}</p>`,
    (text: string) => `- **${text}** end`,
    (text: string) => `| A |\n| --- |\n| ${text} |`,
    (text: string) => `<p>${text}</p>`,
    (text: string) => `![${text}](/assets/${"a".repeat(64)} "${text}")`,
    (text: string) => `## ${text}\n\nשלום \u200f1\u200f`,
  ];
  fc.assert(
    fc.property(fc.constantFrom(...constructs), phrase, (construct, text) => {
      const source = `Begin.\n\n${construct(text)}\n`;
      const { markdown, notes } = canonicalBody({ title: "T", markdown: source });
      const read = readMarkdownDocument({ path: "a.md", text: `---\ntitle: T\n---\n\n${source}` });
      expect(read.body).toBe(markdown);
      for (const shown of [markdown, renderHtml(markdown)]) {
        const lines = shown.split("\n").filter((line) => !line.includes("שלום"));
        expect(lines.filter((line) => anyTurning.test(line))).toEqual([]);
      }
      expect(formatMarkdown(markdown)).toBe(markdown);
      if (/&|[^\0-\u2000]/.test(text) && anyTurning.test(decoded(text)))
        for (const report of [notes, read.report])
          expect(report.map(({ code }) => code)).toContain("control-characters");
    }),
  );
});

const decoded = (text: string) =>
  text
    .replace(/&rlm;|&lrm;/g, "\u200f")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

test("references in code and escaped ones are words", () => {
  const markdown = "Write `&rlm;` or \\&rlm; here.\n\n```\n&#x202e;\n```\n";
  expect(canonicalBody({ title: "T", markdown })).toEqual({ markdown, notes: [] });
});

test("short texts of a file lose them, each with a note", () => {
  for (const one of turning) {
    const name = nameOf(one);
    const text = `---\ntitle: "Turn ${one}1 → 2"\ndescription: From ${one}20 - 80\ntags: ["a${one}b"]\nx-category: C${one}d\n---\n\nText\n`;
    const { frontMatter, report } = readMarkdownDocument({ path: "a.md", text });
    expect(frontMatter).toMatchObject({
      title: "Turn 1 → 2",
      description: "From 20 - 80",
      tags: ["ab"],
      "x-category": "Cd",
    });
    const notes = report.filter(({ code }) => code === "control-characters");
    expect(notes.map(({ line, message }) => `${line}: ${message}`)).toEqual(
      [2, 3, 4, 5].map((line) => `${line}: the control character ${name} was dropped`),
    );
    const escaped = `---\ntitle: "Turn \\u${name.slice(2)}1 → 2"\n---\n\nText\n`;
    const read = readMarkdownDocument({ path: "a.md", text: escaped });
    expect(read.frontMatter.title).toBe("Turn 1 → 2");
    expect(read.report.map(({ message }) => message)).toContain(`title: the control character ${name} was dropped`);
  }
});

test("HTML loses them with a note", () => {
  const { markdown, notes } = bodyOfHtml({ title: "T", content: "<p>Turn \u200f1 → 2&rlm;</p>" });
  expect(markdown).toBe("Turn 1 → 2\n");
  expect(notes.map(({ message }) => message)).toEqual(["the control character U+200F was dropped"]);
});

test("titles and descriptions lose them too, and spaces without width", () => {
  for (const one of [...reversing, ...noncharacters, "\u200b", "\u2060", "\ufeff"]) {
    expect(requiredCleanTextSchema(titleMissing).parse(`Val${one}ve`)).toBe("Valve");
    expect(requiredCleanTextSchema(titleMissing).safeParse(one).success).toBe(false);
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
