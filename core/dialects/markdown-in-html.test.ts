import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressesInMarkdown } from "#core/markdown/addresses.ts";
import { constructSentence, convertDialectsInText } from "./convert.ts";

const textOf = (text: string) => convertDialectsInText(text).text;
const notesOf = (text: string) =>
  convertDialectsInText(text).constructs.map((one) => `${one.line} ${constructSentence(one).text}`);

describe("a figure", () => {
  it.each([
    ["markdown", '![Plan](img/plan.png){ width="700" }', "![Plan|700](img/plan.png)"],
    ['markdown="span"', "![Plan](img/plan.png)", "![Plan](img/plan.png)"],
    ['class="wide" markdown="1"', '<img src="img/plan.png" alt="Plan">', "![Plan](img/plan.png)"],
    ["markdown", "![Plan](img/my plan (2).png)", "![Plan](<img/my plan (2).png>)"],
  ])("with %s and %s is an image", (attributes, image, expected) => {
    expect(textOf(`<figure ${attributes}>\n  ${image}\n</figure>\n`)).toBe(`${expected}\n`);
  });

  it("has its caption as the title of the image", () => {
    const text = "<figure markdown>\n![Plan](plan.png)\n<figcaption>Turn it slowly</figcaption>\n</figure>\n";
    expect(textOf(text)).toBe('![Plan](plan.png "Turn it slowly")\n');
    expect(notesOf(text)).toEqual(["1 <figure markdown> became an image"]);
  });

  it("has a caption with markup, or the one of several images, below", () => {
    expect(textOf("<figure markdown>\n![P](p.png)\n<figcaption>See [it](b.md)</figcaption>\n</figure>\n")).toBe(
      "![P](p.png)\n\nSee [it](b.md)\n",
    );
    expect(textOf("<figure markdown>\n![P](p.png)\n![Q](q.png)\n<figcaption>Two</figcaption>\n</figure>")).toBe(
      "![P](p.png)\n![Q](q.png)\n\nTwo",
    );
    expect(textOf("<figure>\n![P](p.png)\n<figcaption>See *it*</figcaption>\n</figure>")).toBe(
      "![P](p.png)\n\nSee *it*",
    );
  });

  it("names what an image has no place for", () => {
    expect(notesOf('<figure id="f" markdown>\n![P](p.png "t"){ loading=lazy }\n<figcaption>C</figcaption>\n</figure>'))
      // line, name, what
      .toEqual(["1 <figure markdown> became an image, without loading: lazy, without title: t, without id: f"]);
  });

  it("stays in its step", () => {
    const text = "1. Turn\n\n    <figure markdown>\n      ![P](p.png)\n    </figure>\n\n2. Stop\n";
    expect(textOf(text)).toBe("1. Turn\n\n    ![P](p.png)\n\n2. Stop\n");
  });
});

describe("other elements", () => {
  it("give their content, at any depth", () => {
    const text =
      '<div class="grid cards" markdown>\n\n- One\n\n    <div markdown="block">\n    !!! note\n        Deep\n    </div>\n\n</div>\n';
    expect(textOf(text)).toBe("- One\n\n    > [!NOTE]\n    > Deep\n");
    expect(notesOf(text)[0]).toBe("1 <div markdown> became its content, without class: grid cards");
  });

  it("have no indent outside a list", () => {
    const text = '<div markdown>\n  <div markdown>\n\n=== "A"\n\n    * One\n\nText\n\n  </div>\n</div>\n';
    expect(textOf(text)).toBe("<details open>\n<summary>A</summary>\n\n* One\n\n</details>\n\nText\n");
  });

  it("that fold or warn keep doing so", () => {
    expect(textOf('<details markdown="1"><summary>More</summary>\nText **b**\n</details>')).toBe(
      "<details>\n<summary>More</summary>\n\nText **b**\n\n</details>",
    );
    expect(textOf('<details class="warning" markdown><summary>Hot</summary>\nWait\n</details>')).toBe(
      "> [!WARNING]\n> **Hot**\n>\n> Wait",
    );
    expect(textOf("<blockquote markdown>\na\n\nb\n</blockquote>")).toBe("> a\n>\n> b");
  });

  it.each([
    "<div>\n**a**\n</div>\n",
    '<div markdown="0">\n**a**\n</div>\n',
    "<div markdown>\nno end\n",
    "`<div markdown>`\n\n</div>\n",
    "```html\n<div markdown>\n</div>\n```\n",
    '<div data-x=" markdown=">\n**a**\n</div>\n',
  ])("without the attribute, an end, or in code stay as they are: %j", (text) => {
    expect(textOf(text)).toBe(text);
  });

  it("take no tag in code for an end, and lose nothing beside their tags", () => {
    expect(textOf("<p markdown>See `</p>` now</p> then\n")).toBe("See `</p>` now\n\nthen\n");
    expect(textOf("<div markdown>\n```html\n</div>\n```\n</div>\n")).toBe("```html\n</div>\n```\n");
  });
});

it("keeps every word, link and image of content in any nesting of elements", () => {
  const piece = fc.constantFrom("word", "![alt](p.png)", "[label](a.md)", "- item", "`</div>`", "!!! note\n    box");
  const element = fc.constantFrom("div", "section", "details", "blockquote", "figure", "aside");
  const block = fc.letrec<{ block: string }>((tie) => ({
    block: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      piece,
      fc
        .tuple(element, fc.array(tie("block"), { minLength: 1, maxLength: 3 }))
        .map(([name, inner]) => `<${name} markdown>\n\n${inner.join("\n\n")}\n\n</${name}>`),
    ),
  })).block;
  const words = (text: string) => (text.match(/\b(?:word|alt|label|item|box)\b/g) ?? []).length;
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (blocks) => {
      const text = `${blocks.join("\n\n")}\n`;
      const mapped = textOf(text);
      expect(words(mapped)).toBe(words(text));
      const targets = (text.match(/\]\(/g) ?? []).length;
      expect(addressesInMarkdown(mapped)).toHaveLength(targets);
      expect(mapped).not.toMatch(/ markdown>/);
    }),
    { numRuns: 200 },
  );
});
