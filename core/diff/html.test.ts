import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown } from "../markdown/parse.ts";
import { renderHtml } from "../markdown/render.ts";
import { diffHtml } from "./html.ts";
import { parseRendered } from "./parts.ts";
import type { DiffBlock } from "./schema.ts";
import type { Nodes } from "hast";

const diff = (before: string, after: string) => diffHtml(renderHtml(before), renderHtml(after));
const kinds = (blocks: readonly DiffBlock[]) => blocks.map(({ kind, place }) => (place ? `${kind} ${place}` : kind));
/** The HTML without line breaks between tags. */
const htmls = (blocks: readonly DiffBlock[]) => blocks.map(({ html }) => html.replace(/\n/g, ""));

/** The text without spaces, because a diff builds lists and tables differently. */
function textOf(node: Nodes, without?: "ins" | "del"): string {
  if (node.type === "text") return node.value.replace(/\s+/g, "");
  if (node.type === "element" && (node.tagName === "img" || node.tagName === "input")) return `<${node.tagName}>`;
  if (!("children" in node) || (node.type === "element" && node.tagName === without)) return "";
  return node.children.map((child) => textOf(child, without)).join("");
}
// `parseRendered` turns the text's own deletions into `s`, so that only marks of the diff remain `del`
const read = (html: string, without: "ins" | "del"): string => {
  const kept = html.replaceAll("<del>", "<kbd class=del>").replaceAll("</del>", "</kbd>");
  const walk = (node: Nodes): string => {
    if (node.type !== "element") return "children" in node ? node.children.map(walk).join("") : textOf(node);
    const isDel = node.tagName === "kbd" && Array.isArray(node.properties["className"]);
    if ((isDel ? "del" : node.tagName) === without) return "";
    if (node.children.length === 0) return textOf(node);
    return node.children.map(walk).join("");
  };
  return walk(parseRendered(kept));
};
const readNew = (blocks: readonly DiffBlock[]) =>
  blocks
    .filter(({ kind, place }) => kind !== "removed" && place !== "from")
    .map(({ html }) => read(html, "del"))
    .join("");
const readOld = (blocks: readonly DiffBlock[]) =>
  blocks
    .filter(({ kind, place }) => kind !== "added" && place !== "to")
    .map(({ html }) => read(html, "ins"))
    .join("");

const image = (digit: string) => `A ![a](/api/assets/${digit.repeat(64)}.png)\n`;

describe("what differs between two texts", () => {
  it("is marked word by word, inside what is bold, linked or code", () => {
    const blocks = diff(
      "Press the **red** button, wait 2.5 min.\n",
      "Press the **green** [button](https://x.example), wait 3.0 min.\n",
    );
    expect(kinds(blocks)).toEqual(["changed"]);
    expect(blocks[0]?.html).toBe(
      '<p>Press the <strong><del>red</del></strong><del> button</del><strong><ins>green</ins></strong><ins> </ins><a href="https://x.example" rel="noopener noreferrer nofollow"><ins>button</ins></a>, wait <del>2.5</del><ins>3.0</ins> min.</p>',
    );
  });

  it("tells steps that came, went, were reworded or moved, each with its number", () => {
    const blocks = diff(
      "1. Open the valve\n2. Check that the pressure is 3.5 bar\n3. Close the valve\n4. Write it down in the log\n",
      "1. Write it down in the log\n2. Open the valve\n3. Check that the pressure is 4 bar\n4. Call the shift lead\n5. Close the valve\n",
    );
    expect(kinds(blocks)).toEqual(["moved to", "same", "changed", "added", "same", "moved from"]);
    expect(htmls(blocks)).toEqual([
      '<ol start="1"><li><ins>Write it down in the log</ins></li></ol>',
      '<ol start="2"><li>Open the valve</li></ol>',
      '<ol start="3"><li>Check that the pressure is <del>3.5</del><ins>4</ins> bar</li></ol>',
      '<ol start="4"><li><ins>Call the shift lead</ins></li></ol>',
      '<ol start="5"><li>Close the valve</li></ol>',
      '<ol start="4"><li><del>Write it down in the log</del></li></ol>',
    ]);
  });

  it("goes row by row and cell by cell through tables", () => {
    const blocks = diff(
      "| Part | Limit |\n| --- | --- |\n| Pump | 5 |\n| Valve | 7 |\n",
      "| Part | Limit |\n| --- | --- |\n| Pump | 6 |\n| Hose | 2 |\n| Valve | 7 |\n",
    );
    expect(kinds(blocks)).toEqual(["changed"]);
    expect(htmls(blocks)[0]).toContain("<td>Pump</td><td><del>5</del><ins>6</ins></td>");
    expect(htmls(blocks)[0]).toContain("<td><ins>Hose</ins></td><td><ins>2</ins></td>");
    expect(htmls(blocks)[0]).toContain("<td>Valve</td><td>7</td>");
  });

  it("sees a change of script without spaces character by character", () => {
    const [block] = diff("温度は二十度です\n", "温度は三十度です\n");
    expect(block?.html).toBe("<p>温度は<del>二</del><ins>三</ins>十度です</p>");
  });

  it("sees a tick, a picture, a target, a rule, a code line", () => {
    expect(diff("- [ ] Fridge\n", "- [x] Fridge\n")[0]?.html).toContain(
      '<ins><input type="checkbox" checked disabled></ins>',
    );
    expect(diff(image("1"), image("2"))[0]?.html).toContain("<ins><img");
    expect(diff("[a](/x)\n", "[a](/y)\n")[0]?.kind).not.toBe("same");
    expect(kinds(diff("A\n", "A\n\n---\n"))).toEqual(["same", "added"]);
    expect(diff("A\n", "A\n\n---\n")[1]?.html).toBe("<ins><hr></ins>");
    expect(diff("```\na\n  b\nc\n```\n", "```\na\nb\nc\n```\n")[0]?.html).toBe(
      "<pre><code>a<del>\n  </del><ins>\n</ins>b\nc\n</code></pre>",
    );
  });

  it("keeps what the text itself strikes out apart from what went", () => {
    expect(diff("Hot ~~cold~~ tea\n", "Hot ~~cold~~ green tea\n")[0]?.html).toBe(
      "<p>Hot <s>cold</s> <ins>green </ins>tea</p>",
    );
  });

  it("is nothing where only invisible parts differ", () => {
    const table = (align: string) => `| A |\n| ${align} |\n| b |\n`;
    expect(kinds(diff(table("---"), table("--:")))).toEqual(["same"]);
    expect(kinds(diff('[a](/x "<ins>")\n', '[a](/x "<ins>")\n'))).toEqual(["same"]);
  });

  it("finds what was reworded from end to end, however many", () => {
    const steps = (word: string) =>
      Array.from({ length: 300 }, (_, n) => `${n + 1}. ${word} valve ${n} and wait`).join("\n");
    expect(new Set(kinds(diff(steps("Open"), steps("Shut"))))).toEqual(new Set(["changed"]));
  });

  it("says removed and added where there is too little in common", () => {
    expect(kinds(diff("Wash your hands with soap.\n", "The auditor signs every page.\n"))).toEqual([
      "removed",
      "added",
    ]);
  });

  it("leaves no id and no link into the page: the text itself may stand beside it", () => {
    const html = htmls(diff("# A\n\nB[^1]\n\n[^1]: C\n", "# A\n\nB and D[^1]\n\n[^1]: C\n")).join("");
    expect(html).not.toMatch(/\sid=|href="#|aria-/);
  });
});

describe("for any two texts", () => {
  const word = fc.constantFrom(
    "open",
    "the",
    "valve",
    "2.5",
    "bar",
    "**now**",
    "`ls`",
    "[log](/sop/1)",
    "~~old~~",
    "né",
    "a",
  );
  const line = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
  const block = fc.oneof(
    line,
    line.map((text) => `## ${text}`),
    fc
      .array(line, { minLength: 1, maxLength: 4 })
      .map((items) => items.map((item, n) => `${n + 1}. ${item}`).join("\n")),
    fc
      .array(line, { minLength: 1, maxLength: 3 })
      .map((items) => items.map((item) => `- [ ] ${item}\n  - ${item}`).join("\n")),
    fc
      .array(fc.tuple(line, line), { minLength: 1, maxLength: 3 })
      .map((rows) => ["| A | B |", "| --- | --- |", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n")),
    line.map((text) => `> [!WARNING]\n> ${text}`),
    line.map((text) => `\`\`\`\n${text}\n  ${text}\n\`\`\``),
    fc.constant("---"),
  );
  const blocks = fc.array(block, { maxLength: 8 });
  /** Two texts that share some blocks, in any order. */
  const pair = fc.tuple(blocks, blocks, fc.array(fc.nat(99), { maxLength: 6 })).map(([before, others, picks]) => {
    const kept = picks.flatMap((pick) => (before.length > 0 ? [before[pick % before.length] as string] : []));
    const after = [...others.slice(0, 2), ...kept, ...others.slice(2)];
    return [before.join("\n\n"), after.join("\n\n")] as const;
  });

  it("what is left without the deletions is the new one, without the insertions the old one", () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const found = diff(before, after);
        expect(readNew(found)).toBe(textOf(parseRendered(renderHtml(after))));
        expect(readOld(found)).toBe(textOf(parseRendered(renderHtml(before))));
      }),
      { numRuns: 80 },
    );
  });

  it("nothing differs between a text and itself", () => {
    fc.assert(
      fc.property(blocks, (parts) => {
        const text = parts.join("\n\n");
        expect(new Set(kinds(diff(text, text)))).toEqual(parts.length === 0 ? new Set() : new Set(["same"]));
      }),
      { numRuns: 60 },
    );
  });

  it("holds for any Markdown that can be rendered", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 80 }),
        fc.string({ unit: "grapheme", maxLength: 80 }),
        (a, b) => {
          parseMarkdown(a);
          expect(readNew(diff(a, b))).toBe(textOf(parseRendered(renderHtml(b))));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("texts that are large or made to be slow", () => {
  const words = "valve pump open close check bar wait press red green note hot".split(" ");
  const pick = (n: number) => words[(n * 7919 + ((n * n) % 31)) % words.length] ?? "";
  const text = (size: number, seed: number) => Array.from({ length: size }, (_, n) => pick(n + seed)).join(" ");

  it.each([
    ["one paragraph, rewritten", text(20_000, 1), text(20_000, 5)],
    ["one paragraph that repeats itself", "a b ".repeat(30_000), "b a a ".repeat(20_000)],
    ["a thousand rows", table(1_000, 1), table(1_000, 3)],
  ])("%s: block level is what is left", (_, before, after) => {
    const found = diff(before, after);
    expect(readNew(found)).toBe(textOf(parseRendered(renderHtml(after))));
  });

  function table(rows: number, seed: number): string {
    return [
      "| A | B |",
      "| --- | --- |",
      ...Array.from({ length: rows }, (_, n) => `| ${text(3, n * seed)} | ${n * seed} |`),
    ].join("\n");
  }
});
