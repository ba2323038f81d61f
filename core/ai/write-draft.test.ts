import fc from "fast-check";
import type { Nodes } from "mdast";
import { toString } from "mdast-util-to-string";
import { describe, expect, test } from "vitest";
import { lintText } from "#core/lint/engine.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { fileTextOf } from "#core/markdown/front-matter.ts";
import { eachNode, parseMarkdown } from "#core/markdown/parse.ts";
import type { DraftStep, SopDraft } from "./draft.ts";
import { unreviewedAssumptionFindings } from "./unreviewed.ts";
import { draftAsMarkdown } from "./write-draft.ts";

const step = (text: string, more: Partial<DraftStep> = {}): DraftStep => {
  return { text, role: null, warning: null, verify: null, sub: [], ...more };
};

const draft: SopDraft = {
  title: "Drain the tank",
  description: "Empty tank 4 before it is cleaned.",
  purpose: "Nobody meets pressure.",
  scope: "Tank 4.",
  roles: [{ name: "Operator", duty: "Drains | closes" }],
  equipment: ["Key 4"],
  warnings: [{ level: "danger", text: "Steam burns." }],
  sections: [
    {
      heading: "Drain",
      steps: [
        step("Close valve 1.", { role: "Operator" }),
        step("Open valve 2.", {
          warning: "Hot water: stand aside.",
          verify: "The gauge shows 0 bar.",
          sub: ["Left.", "Right."],
        }),
        step("Wait for 5 min."),
      ],
    },
  ],
  records: [{ name: "Log", place: "Office", retention: "5 years" }],
  references: [
    { sourceId: "a", label: "whatever" },
    { sourceId: null, label: "ISO 9001" },
    { sourceId: "invented", label: "SOP of nobody" },
  ],
  assumptions: ["The tank holds water."],
  tags: [],
};

const sources = new Map([["a", { title: "Clean the tank", href: "/sop/a" }]]);

function nodes(markdown: string): Nodes[] {
  const all: Nodes[] = [];
  eachNode(parseMarkdown(markdown), (node) => void all.push(node));
  return all;
}

describe("a draft as Markdown", () => {
  test("has the parts in the order of our templates, counts steps across a warning, and is canonical", () => {
    const markdown = draftAsMarkdown(draft, sources);
    expect(markdown).toBe(
      `## Purpose

Nobody meets pressure.

## Scope

Tank 4.

## Responsibilities

| Role | Responsibility |
| --- | --- |
| Operator | Drains \\| closes |

## Safety

> [!DANGER]
> Steam burns.

## Equipment

- Key 4

## Procedure

### Drain

1. **Operator:** Close valve 1.

> [!WARNING]
> Hot water: stand aside.

2. Open valve 2.
   1. Left.
   2. Right.
   - **Check:** The gauge shows 0 bar.
3. Wait for 5 min.

## Records

| Record | Place | Kept for |
| --- | --- | --- |
| Log | Office | 5 years |

## References

- [Clean the tank](/sop/a)
- ISO 9001

## Assumptions to confirm

- [ ] The tank holds water.
- [ ] The reference "SOP of nobody" exists.
`,
    );
    expect(formatMarkdown(markdown)).toBe(markdown);
  });

  test("leaves parts out that there is nothing for", () => {
    const bare = { ...draft, roles: [], equipment: [], warnings: [], records: [], references: [], assumptions: [] };
    expect(draftAsMarkdown(bare).match(/^## .*/gm)).toEqual(["## Purpose", "## Scope", "## Procedure"]);
  });

  test.each(["en", "de-AT", "fr", "es-MX", "it", "nl", "pt-BR"])(
    "has headings of its language that the rules know, and asks to confirm: %s",
    (language) => {
      const written = draftAsMarkdown(draft, sources, language);
      const text = fileTextOf({ title: "T", description: "D", owner: "o", lang: language }, written);
      const rules = lintText(text, { path: "sop.md", preset: "recommended" }).map(({ rule }) => rule);
      expect(rules).not.toContain("struct/sections");
      expect(rules).not.toContain("struct/section-order");
      expect(unreviewedAssumptionFindings(written)).toHaveLength(2);
      expect(/^## (?:Purpose|Scope)$/m.test(written)).toBe(language === "en");
      expect(formatMarkdown(written)).toBe(written);
    },
  );

  test("headings are English where there are none of ours in its language", () => {
    expect(draftAsMarkdown(draft, sources, "fi")).toBe(draftAsMarkdown(draft, sources));
  });

  const hostile = [
    "<script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "![x](https://evil.example/p.png)",
    "https://evil.example/?q=1",
    "www.evil.example",
    "mail me@evil.example now",
    "<https://evil.example>",
    "# Heading\n\n- item\n\n```\ncode",
    "[a]: https://evil.example",
    "x [^1]",
    "| a | b |\n| --- | --- |",
    "> [!NOTE]\n> text",
    "---\ntitle: x\n---",
    "&lt;b&gt; &#60;",
    "<!-- sop-disable-file -->",
    "\u202Ereversed \u0000 nul",
  ];
  test.each(hostile)("nothing of the model's becomes markup: %j", (words) => {
    const everywhere = JSON.parse(JSON.stringify(draft), (key, value: unknown) =>
      typeof value === "string" && !["level", "sourceId"].includes(key) ? words : value,
    ) as SopDraft;
    const written = nodes(draftAsMarkdown(everywhere, sources));
    const types = new Set(written.map(({ type }) => type));
    for (const type of ["html", "image", "code", "definition", "footnoteReference", "thematicBreak"] as const)
      expect(types).not.toContain(type);
    const links = written.flatMap((node) => (node.type === "link" ? [node.url] : []));
    expect(links).toEqual(["/sop/a"]);
    const headings = written.filter((node) => node.type === "heading");
    expect(headings.filter(({ depth }) => depth !== 2)).toHaveLength(1);
  });

  test("keeps every step as one step with its words", () => {
    const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 5 }), (texts) => {
        const one = { ...draft, sections: [{ heading: "Go", steps: texts.map((text) => step(text)) }] };
        const items = nodes(draftAsMarkdown(one)).flatMap((node) =>
          node.type === "list" && node.ordered ? node.children : [],
        );
        const plain = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").trim();
        expect(items.map((item) => plain(toString(item)))).toEqual(texts.map(plain));
      }),
      { numRuns: 200 },
    );
  });
});

test("an address does not hide HTML right after it", () => {
  const purpose = `Open https://evil.invalid/<input name="p"> and www.evil.invalid<b>now</b>.`;
  const body = draftAsMarkdown({ ...draft, purpose });
  expect(body).not.toMatch(/[^\\]<(?:input|b>|\/b>)/);
});

describe("unconfirmed text", () => {
  test("is found under every heading of that name: a model that writes one before ours hides nothing", () => {
    const [first] = draft.sections;
    const sections = [{ heading: "Assumptions to confirm", steps: first?.steps ?? [] }];
    const written = draftAsMarkdown({ ...draft, sections }, sources);
    const open = (markdown: string) => unreviewedAssumptionFindings(markdown).map(({ message }) => message);
    expect(open(written)).toEqual(open(draftAsMarkdown(draft, sources)));
    expect(open(written).length).toBeGreaterThan(1);
  });
});
