import { describe, expect, it } from "vitest";
import { lintText } from "./engine.ts";
import { applyFixes } from "./fix.ts";
import { parseFile } from "./parse-file.ts";

const code = "# a comment\n\n- a\n1. b\n\nTitle\n---\n| x |\n> q\n";

/** Constructs whose content is code to their tool, and text to Markdown. */
const constructs: [tool: string, text: string][] = [
  ["MyST", `:::{code} sh\n${code}:::\n`],
  ["MyST, a directive that is kept", `:::{literalinclude} a.sh\n${code}:::\n`],
  ["MkDocs", `/// html | pre\n${code}///\n`],
  ["Hugo", `{{< highlight sh >}}\n${code}{{< /highlight >}}\n`],
  ["MDX", "<Card>\n# a comment\n</Card>\n"],
  ["Liquid", `{% comment %}\n${code}{% endcomment %}\n`],
  ["Docusaurus, a container that is kept", `:::mermaid\n${code}:::\n`],
];

describe.each(constructs)("lint reads the code of %s", (_, construct) => {
  const text = `---\ntitle: T\n---\n\n## One\n\n${construct}\n#### Two\n`;

  it("as no headings or lists", () => {
    const kinds = parseFile(text).tree.children.map(({ type }) => type);
    expect(kinds.filter((type) => type === "heading")).toHaveLength(2);
    expect(kinds).not.toContain("list");
    expect(kinds).not.toContain("table");
  });

  it("and its safe fixes leave its bytes, and move the headings outside as without it", () => {
    const options = { path: "a.md", preset: "recommended" } as const;
    const safe = (source: string) => lintText(source, options).filter(({ fix }) => fix?.safe === true);
    const fixed = applyFixes(text, safe(text)).text;
    expect(fixed).not.toBe(text);
    expect(fixed).toContain(construct);
    const alone = text.replace(construct, "");
    expect(fixed.replace(construct, "")).toBe(applyFixes(alone, safe(alone)).text);
  });
});

it("reads the file of an SOP as Markdown alone", () => {
  const text = `---\nid: "0198f0c2-5b7e-7c11-9a44-000000000001"\ntitle: T\n---\n\n:::{code} sh\n# a comment\n:::\n`;
  expect(parseFile(text).tree.children.map(({ type }) => type)).toEqual(["yaml", "paragraph", "heading", "paragraph"]);
});

it("positions are those of the file", () => {
  const text = ":::{code}\n# ä comment\n:::\n\n## Two\n";
  const heading = parseFile(text).tree.children.find(({ type }) => type === "heading");
  expect(text.slice(heading?.position?.start.offset, heading?.position?.end.offset)).toBe("## Two");
});
