import { describe, expect, it } from "vitest";
import { lintText, type LintOptions } from "./engine.ts";
import { applyFixes, lintAndFix } from "./fix.ts";
import type { TextEdit, Finding } from "./finding.ts";
import { withCheckedSafeFixes, isTreeKept } from "./safe-fix.ts";

const options: LintOptions = { path: "a.md", preset: "recommended", settings: { terms: { abort: "stop" } } };

/** A finding of a rule that claims its fix to be safe. */
function claimed(rule: string, ...edits: TextEdit[]): Finding {
  const fix = { safe: true, edits };
  return { rule, severity: "error", message: "M", line: 1, column: 1, endLine: 1, endColumn: 1, fix };
}

const text = "---\ntitle: T\n---\n\n## Steps\n\n1. Open the lid.\n2. Close it.\n\n> [!Warning]\n> Hot.\n";
const replace = (from: string, to: string): TextEdit => {
  const start = text.indexOf(from);
  return { start, end: start + from.length, text: to };
};

describe("a fix that claims to be safe", () => {
  it.each([
    ["drops a step", "test/wrong", replace("2. Close it.\n", "")],
    ["renumbers a step", "struct/procedure-steps", replace("2. Close", "5. Close")],
    ["changes a word", "test/wrong", replace("lid", "valve")],
    ["makes a heading a paragraph", "test/wrong", replace("## Steps", "Steps")],
    ["lowers a heading", "struct/no-h1", replace("## Steps", "### Steps")],
    ["changes the title", "struct/no-h1", replace("title: T", "title: U")],
    ["puts a heading below another", "struct/heading-increment", replace("1. Open", "### Part\n\n1. Open")],
    ["changes words beside the signal word", "safety/signal-word", replace("Hot", "Cold")],
    ["changes another key", "meta/dates", replace("title: T", "owner: T")],
    ["makes a word bold", "style/terms", replace("lid", "**lid**")],
    ["breaks the front matter", "struct/no-h1", replace("title: T", "title: [")],
    ["joins a number to another word", "step/measurable", replace("the lid", "the lids")],
  ])("is refused where it %s", (_, rule, edit) => {
    const findings = [claimed(rule, edit)];
    expect(withCheckedSafeFixes(text, findings)).toMatchObject([{ fix: { safe: false } }]);
    expect(applyFixes(text, findings)).toEqual({ text, fixed: 0 });
    expect(applyFixes(text, findings, true).fixed).toBe(1);
  });

  it("is refused alone: the others are applied", () => {
    const good = claimed("safety/signal-word", replace("[!Warning]", "[!WARNING]"));
    const bad = claimed("safety/signal-word", replace("Close", "Leave"));
    expect(applyFixes(text, [bad, good])).toEqual({ text: text.replace("Warning", "WARNING"), fixed: 1 });
  });

  it("is refused unchecked where too many are wrong", () => {
    const many = `${"word\n\n".repeat(500)}`;
    const findings = Array.from({ length: 500 }, (_, at) =>
      claimed("x", { start: at * 6, end: at * 6 + 4, text: "a" }),
    );
    expect(applyFixes(many, findings)).toEqual({ text: many, fixed: 0 });
  });
});

describe("rules offer a suggested fix where a safe one would change more than declared", () => {
  it.each([
    ["a longer number pushes a paragraph out of its step", "## Steps\n\n9. a\n\n   b\n9. c\n11. d\n\n    e\n"],
    ["a heading would get another parent", "## A\n\n##### B\n\n#### C\n"],
    [
      "two comments keep a list and code apart",
      `1. Open it.\n\n${"<!-- sop-disable-next-line step/length -->\n".repeat(2)}\n    code\n`,
    ],
    ["a comment keeps two lists apart", "## A\n\n- a\n\n<!-- sop-disable-next-line step/vague -->\n\n- b\n"],
  ])("%s", (_, source) => {
    const fixed = lintAndFix(source, options);
    expect(
      isTreeKept(source, fixed.text, ["struct/procedure-steps", "struct/heading-increment", "suppress/unused"]),
    ).toBe(true);
  });

  it.each([
    ["another heading of level 1 keeps its level", "# T\n\n## A\n\n# B\n", '---\ntitle: "T"\n---\n\n## A\n\n# B\n'],
    ["a heading after text isn't the title", "Text\n\n# T\n", "Text\n\n# T\n"],
    ["a title with markup stays", "# Use `sop`\n\n## A\n", "# Use `sop`\n\n## A\n"],
    ["a heading that a link needs stays", "# T\n\n[up](#t)\n", "# T\n\n[up](#t)\n"],
    ["another title stays", "---\ntitle: U\n---\n\n# T\n", "---\ntitle: U\n---\n\n# T\n"],
    [
      "an empty title is filled",
      '---\nowner: a\ntitle: ""\n---\n\n# T: "x"\n',
      '---\nowner: a\ntitle: "T: \\"x\\""\n---\n\n',
    ],
    ["line ends stay", "# T\r\n\r\nText\r\n", '---\r\ntitle: "T"\r\n---\r\n\r\nText\r\n'],
    ["a comment before the title stays", "<!-- (c) -->\n\n# T\n\nA\n", '---\ntitle: "T"\n---\n\n<!-- (c) -->\n\nA\n'],
    ["TOML front matter stays the beginning", '+++\ntitle = "T"\n+++\n\n# T\n', '+++\ntitle = "T"\n+++\n\n# T\n'],
  ])("no-h1: %s", (_, source, fixed) => {
    expect(lintAndFix(source, { ...options, preset: "minimal" }).text).toBe(fixed);
  });

  it("the label says so before anything is applied", () => {
    const [finding] = lintText("## A\n\n##### B\n\n#### C\n", { ...options, preset: "minimal" }).filter(
      ({ rule }) => rule === "struct/heading-increment",
    );
    expect(finding?.fix?.safe).toBe(false);
  });
});
