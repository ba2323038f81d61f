import { describe, expect, it } from "vitest";
import { parseFrontMatter, splitFrontMatter } from "./front-matter.ts";
import { readMarkdownFile } from "./read-file.ts";

declare global {
  var executedByFrontMatter: boolean | undefined;
}

describe("readMarkdownFile", () => {
  it.each(["js", "javascript", " js", "coffee", "json", "toml", "cson"])("never runs or reads ---%s", (language) => {
    const text = `---${language}\n{ title: (globalThis.executedByFrontMatter = true) }\n---\nBody\n`;
    expect(() => readMarkdownFile(text)).toThrow(/YAML/);
    expect(globalThis.executedByFrontMatter).toBeUndefined();
  });

  it.each([
    '---\ntitle: "T"\neffective: 2026-10-01\n---\n\nBody\n',
    "---\ntext: |\n  one\n  ---x\nlang: en\n---\nBody\n",
    "\uFEFF---\r\ntitle: T\r\n---\r\nBody\r\n",
    "---\n---\nBody\n",
    "Body only\n",
  ])("agrees with the reader of browsers on %j", (text) => {
    const { raw, body } = splitFrontMatter(text);
    expect(readMarkdownFile(text)).toEqual({ frontMatter: parseFrontMatter(raw ?? ""), body });
  });

  it("keeps dates as they are written", () => {
    expect(readMarkdownFile("---\neffective: 2026-10-01\n---\n").frontMatter.effective).toBe("2026-10-01");
  });
});
