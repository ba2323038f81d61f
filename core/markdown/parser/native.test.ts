import { spawnSync } from "node:child_process";
import commonmark from "commonmark-spec";
import fc from "fast-check";
import type { Nodes } from "mdast";
import { describe, expect, it } from "vitest";
import { corpusFiles, textOf } from "../../../test/corpus.ts";
import { eachNode } from "../each-node.ts";
import * as micromark from "./micromark.ts";
import * as native from "./native.ts";
import * as remark from "./remark.ts";

const trees = (text: string) =>
  [false, true].flatMap((frontMatter) => {
    const reference = remark.parse(text, { frontMatter });
    return [native, micromark].map((one) => [one.parse(text, { frontMatter }), reference]);
  });

/** Without positions, and without fields that have no value. */
function contentOf(node: Nodes): unknown {
  const fields = Object.entries(node).filter(
    ([name, value]) => name !== "position" && name !== "children" && value != null,
  );
  return {
    ...Object.fromEntries(fields.sort(([one], [other]) => (one < other ? -1 : 1))),
    ...("children" in node && { children: node.children.map(contentOf) }),
  };
}

const places = (node: Nodes): unknown => [
  node.type,
  node.position?.start.offset,
  node.position?.end.offset,
  node.position?.start.line,
  node.position?.end.column,
  ...("children" in node ? node.children.map(places) : []),
];

function isSame(text: string): boolean {
  return trees(text).every(
    ([one, other]) => one && other && JSON.stringify(contentOf(one)) === JSON.stringify(contentOf(other)),
  );
}

describe("the parsers of server and CLI, and of browsers", () => {
  it("is there, and not its substitute", () => {
    expect(native.isNative).toBe(true);
  });

  it.each(commonmark.tests.map(({ markdown, number }) => ({ number, text: markdown.replaceAll("→", "\t") })))(
    "reads example $number of CommonMark as remark does",
    ({ text }) => {
      for (const [one, other] of trees(text)) expect(contentOf(one as Nodes)).toEqual(contentOf(other as Nodes));
    },
  );

  it("reads real documents as remark does, positions included", () => {
    for (const file of corpusFiles(".md", { oneIn: 4 })) {
      const text = textOf(file);
      for (const [one, other] of trees(text)) {
        expect(JSON.stringify(contentOf(one as Nodes)) === JSON.stringify(contentOf(other as Nodes)), file.name).toBe(
          true,
        );
        expect(JSON.stringify(places(one as Nodes)) === JSON.stringify(places(other as Nodes)), file.name).toBe(true);
      }
    }
  });

  it("reads mutated documents as remark does", () => {
    const texts = corpusFiles(".md", { oneIn: 16 }).map(textOf);
    const mark = fc.constantFrom(...marks);
    const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), length: fc.nat(6), put: mark });
    const piece = fc.record({
      text: fc.constantFrom(...texts),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.integer({ min: 20, max: 500 }),
      edits: fc.array(edit, { maxLength: 6 }),
    });
    fc.assert(
      fc.property(piece, ({ text, at, length, edits }) => {
        const from = Math.floor(at * text.length);
        const mutated = edits.reduce(
          (now, one) => {
            const place = Math.floor(one.at * now.length);
            return now.slice(0, place) + one.put + now.slice(place + one.length);
          },
          text.slice(from, from + length),
        );
        expect(isSame(mutated)).toBe(true);
      }),
      { numRuns: 1_000, seed: 18 },
    );
  });

  it("reads texts of our dialect's own marks as remark does", () => {
    const text = fc.array(fc.constantFrom(...ownMarks), { maxLength: 16 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, (one) => void expect(isSame(one)).toBe(true)),
      { numRuns: 3_000, seed: 33 },
    );
  });

  it("reads stars beside underscores and digits as remark does", () => {
    const piece = fc.constantFrom("*", "**", "_", "__", "a", "b", "3", " ", "(", ".", "\\", "\n\n");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => void expect(isSame(pieces.join(""))).toBe(true)),
      { numRuns: 2_000, seed: 7 },
    );
  });

  it.each([
    "a\u0000b",
    "a\rb",
    "a\uD800b",
    "\uFEFF---\na: 1\n---\n",
    "see a/b@c.de",
    "/www.example.com",
    "a www. b",
    `${">".repeat(120)} deep`,
    "**\\***x",
    "**注意：**正文",
    "**x*2",
    "_**a*",
    "| a |\n| - |\n| b |\n<br>",
  ])("leaves %j to remark", (text) => {
    expect(native.needsReferenceParser(text)).toBe(true);
    expect(isSame(text)).toBe(true);
  });

  it.each([
    "_**a** b_\n",
    "200\\*300 and **b**\n",
    "See https://www.example.com/a, www.example.com or (me@example.com).\n",
    "[a](https://docs.example.com/en/free@latest/b) and [c](https://a.example/L0/https:%2F%2Fwww.b.example/d)\n",
  ])("reads ordinary texts in the faster way: %j", (text) => {
    expect(native.needsReferenceParser(text)).toBe(false);
    expect(isSame(text)).toBe(true);
  });

  it.each([
    ["> - a\n>   - b\n>\n> - c\n", true],
    ["> 1. a\n>    - b\n>\n>\n> 2. c\n", true],
    ["> - a\n>   > q\n>\n> - c\n", true],
    ["- > - a\n  >   - b\n  > - c\n", false],
    ["> - a\n>   - b\n>\n>   c\n", false],
  ])("sees in quotes which lists have blank lines between their items: %j", (text, isSpread) => {
    expect(isSame(text)).toBe(true);
    const found: unknown[] = [];
    eachNode(native.parse(text, { frontMatter: false }), (node) => node.type === "list" && found.push(node.spread));
    expect(found).toEqual(text.startsWith("-") ? [false, isSpread, false] : [isSpread, ...found.slice(1)]);
  });

  it("reads labels of several lines in quotes without the quote's marks", () => {
    expect(isSame("> - see [the\n>   label] and ![a][the\n> label]\n\n[the label]: /x\n")).toBe(true);
  });

  it.each(["---\n- a", "---\n[^1]: b", "+++\na = 1\n+++\n", "---\na: 1\n"])(
    "takes only YAML for front matter: %j",
    (text) => {
      expect(isSame(text)).toBe(true);
      expect(native.parse(text, { frontMatter: true }).children[0]?.type).not.toBe("yaml");
    },
  );
});

describe("the dialect", () => {
  const shapeOf = (text: string) => {
    const shape = (node: Nodes): string =>
      "children" in node
        ? `${node.type}(${node.children.map(shape).join(" ")})`
        : "value" in node
          ? node.value
          : node.type;
    const [first] = native.parse(text, { frontMatter: false }).children;
    return first && "children" in first ? first.children.map(shape).join(" ") : "";
  };

  it.each([
    "20~25 °C and 5~7 bar",
    "H~2~O",
    "200*300*50 mm",
    "200mm*300mm*50mm",
    "２０*３０*４０",
    "5*x*3 and 2*a*b",
    "2**10 and 3**4",
    "a * b * c",
    "**Achtung:**sofort",
  ])("takes %j for text", (text) => {
    expect(shapeOf(text)).toBe(text);
  });

  it.each([
    ["~~x~~", "delete(x)"],
    ["*P*1", "emphasis(P) 1"],
    ["*2*3", "*2*3"],
    ["**x*2", "* emphasis(x) 2"],
    ["a**_**", "a**_**"],
    ["**__**www.a.b", "**__** link(www.a.b)"],
    ["_**a** b_", "emphasis(strong(a)  b)"],
    ["un*frigging*believable", "un emphasis(frigging) believable"],
    ["第**3**步", "第 strong(3) 步"],
    ["**注意：**正文", "strong(注意：) 正文"],
    ["この**「重要」**を読む。", "この strong(「重要」) を読む。"],
    ["밸브는 **밸브(주)**를 닫는다.", "밸브는  strong(밸브(주)) 를 닫는다."],
    ["3<strong>(!)</strong>mal", "3 strong((!)) mal"],
    ["a<em>*</em>b<strong></strong>", "a emphasis(*) b <strong> </strong>"],
    ["</em>a<strong>b<em>c</strong>", "</em> a strong(b <em> c)"],
  ])("reads %j as %s", (text, shape) => {
    expect(shapeOf(text)).toBe(shape);
  });

  it("leaves tags around blocks as they are", () => {
    const { children } = native.parse("<strong>\n\na\n\n</strong>\n", { frontMatter: false });
    expect(children.map(({ type }) => type)).toEqual(["html", "paragraph", "html"]);
  });

  it("fills short rows on the right", () => {
    expect(shapeOf("| a | b |\n| - | - |\n| c |\n| d | e | f |\n")).toBe(
      ["a b", "c ", "d e f"]
        .map(
          (cells) =>
            `tableRow(${cells
              .split(" ")
              .map((cell) => `tableCell(${cell})`)
              .join(" ")})`,
        )
        .join(" "),
    );
  });
});

describe("where it has no binary", () => {
  it("micromark parses", () => {
    const script = `const { isNative, parse } = await import(process.argv[1]);
      console.log(isNative, parse("# a\\n", { frontMatter: false }).children[0].type);`;
    const { stdout } = spawnSync(
      process.execPath,
      ["--input-type=module", "--eval", script, new URL("native.ts", import.meta.url).href],
      { encoding: "utf8", env: { ...process.env, NAPI_RS_NATIVE_LIBRARY_PATH: "/absent" } },
    );
    expect(stdout).toBe("false heading\n");
  });
});

describe("micromark", () => {
  it("gives every node a position", () => {
    const tree = micromark.parse("a\\-@a.x and $www.x.de\n", { frontMatter: false });
    const missing: string[] = [];
    const walk = (node: Nodes) => {
      if (!node.position) missing.push(node.type);
      if ("children" in node) node.children.forEach(walk);
    };
    walk(tree);
    expect(missing).toEqual([]);
  });
});

const ownMarks = [
  ..."* ** *** _ ~ ~~ \\ 2 30 mm x P ( ) : 「 」 ： 正 文 밸 브 é ２ ② 😀 , ` [ ]( | <strong> </strong> <em> </em>".split(
    " ",
  ),
  " ",
  " ",
  "\n",
  "\n> ",
  "| a |\n| - |\n| ",
  "&#49;",
  "\u00a0",
];

const marks = [
  ..."*_`~[]()!|#-=+>:&\\<\"'\n\t ",
  "\n\n",
  "> ",
  "- ",
  "1. ",
  "    ",
  "| - |",
  "---\n",
  "===\n",
  "```\n",
  "~~~\n",
  "~~",
  "<b>",
  "<!-- ",
  "-->",
  "&amp;",
  "[^1]",
  "[^1]: x\n",
  "http://a.b/c",
  "www.x.de",
  "a@b.co",
  "[ ] ",
  "[x] ",
  "\r\n",
  "  \n",
  "\\\n",
  "<div>\n",
  "</div>",
  "[a]: /u 'x'\n",
  "`` ` ``",
  "é",
  "你",
  "😀",
  "\u00a0",
  "\u2028",
  "\u0000",
  "\uFEFF",
  "",
];
