import { describe, expect, it } from "vitest";
import { searchChunksOf } from "#core/search/chunks.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { renderSop } from "#core/steps/steps-of.ts";
import { hitAddressOf } from "../../search/hit-address.ts";
import { findStep } from "./find-step.ts";
import { findAnchoredElement } from "./anchors.ts";
import { stepTargetOf } from "./step-target.ts";

const markdown = `Intro first.

## Before

1. Wait.
2. Wash **your** hands.
3. Wait.

## Do \`it\`

| Valve | Torque |
| ----- | ------ |
| A\\|1  | 5 Nm   |

3. Open the [cover](https://example.com).
4. Wait.
   - and breathe
5. Wait.

> [!WARNING]
> Hot surface.

## Do it

- [ ] Wait.

After all.
`;

function articleOf(text: string): HTMLElement {
  const article = document.createElement("div");
  article.innerHTML = renderHtml(text);
  return article;
}

describe("the step an address names", () => {
  const article = articleOf(markdown);
  const target = (address: string) => {
    const { hash, searchParams } = new URL(address, "http://localhost");
    const [step, at] = [searchParams.get("step"), searchParams.get("at")];
    return { anchor: decodeURIComponent(hash.slice(1)), step, at };
  };

  it("is each piece that search answers with", () => {
    const pieces = searchChunksOf(markdown).filter(({ text }) => text !== "");
    expect(pieces.length).toBeGreaterThan(9);
    for (const { anchor, heading, step: number, text } of pieces) {
      const address = hitAddressOf({ sop: { id: "x" }, step: { anchor, heading, number, text } });
      const found = findStep(article, target(address));
      const shown = (found?.textContent ?? "").replace(/\s+/g, "").slice(0, 6);
      expect([address, shown]).toEqual([address, text.replace(/\s+/g, "").slice(0, 6)]);
      if (number !== null) expect(found?.tagName).toBe("LI");
    }
    const waits = searchChunksOf(markdown).filter(({ text, step }) => text.startsWith("Wait") && step !== null);
    const places = waits.map(({ anchor, heading, step: number, text }) =>
      findStep(article, target(hitAddressOf({ sop: { id: "x" }, step: { anchor, heading, number, text } }))),
    );
    expect(new Set(places).size).toBe(4);
  });

  it("is the one with its id, and found by number and words where its id is gone", () => {
    const text = "## Steps\n\n1. Wait.\n2. Open it.\n3. Wait.\n";
    const step = {
      anchor: `user-content-step.${/step\.(\w+-2)/.exec(renderSop(text))?.[1]}`,
      number: "3",
      text: "Wait.",
    };
    const address = hitAddressOf({ sop: { id: "x" }, step: { ...step, heading: "Steps" } });
    const find = (html: string) => {
      article.innerHTML = html;
      const found = findStep(article, target(address));
      return [...article.querySelectorAll("li")].findIndex((item) => item === found);
    };
    const article = document.createElement("div");
    expect(find(renderSop(text))).toBe(2);
    expect(find(renderSop(`## Before\n\n${text.replace("1. Wait.\n2.", "1. Wait.\n2. Look.\n3.")}`))).toBe(3);
    expect(find(renderSop(text.replace("3. Wait.", "3. Wait. Then go.")))).toBe(2);
  });

  it("is found again when its number, its place or its words have changed", () => {
    const find = (anchor: string, step: string | null, at: string | null) =>
      findStep(article, { anchor, step, at })?.textContent.trim();
    expect(find("user-content-before", "9", "Wash your")).toBe("Wash your hands.");
    expect(find("user-content-gone", "2", "Wash your")).toBe("Wash your hands.");
    expect(find("user-content-do-it", "5", "Wash your")).toBe("Do it");
    expect(find("user-content-gone", null, "nothing like it")).toBeUndefined();
    expect(find("user-content-before", "2", null)).toBe("Before");
    expect(find("", null, "Intro")).toBe("Intro first.");
  });
});

describe("an address with an odd percent sign", () => {
  it("names an element as it is written", () => {
    expect(stepTargetOf({ search: "?step=1", hash: "#100%" })).toMatchObject({ anchor: "100%" });
    document.body.innerHTML = '<h2 id="user-content-100%">All</h2>';
    expect(findAnchoredElement(document.body, "#100%")?.textContent).toBe("All");
    expect(findAnchoredElement(document.body, "#%C3%A9%")).toBeUndefined();
  });
});
