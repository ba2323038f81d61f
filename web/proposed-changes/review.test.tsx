// @vitest-environment node
import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { compareWithBase } from "#core/diff/places.ts";
import { reviewEntriesOf, currentTextOf } from "./entries.ts";
import { MarkdownDiff } from "./MarkdownDiff.tsx";

const html = (before: string, after: string) => renderToStaticMarkup(<MarkdownDiff before={before} after={after} />);
/** The text left without one kind of mark. Words for screen readers alone don't count. */
function without(mark: "ins" | "del", text: string): string {
  return text
    .replace(/<span class="sr-only">.*?<\/span>/g, "")
    .replace(new RegExp(`<${mark}>.*?</${mark}>`, "gs"), "")
    .replace(/<\/?(?:ins|del)>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

describe("two versions of a place", () => {
  it("mark the words that went and came, in what they stand in", () => {
    const door = html("Open the **red** door", "Open the **green** door");
    expect(without("del", door)).toBe("Open the green door");
    expect(door).toMatch(/<del>.*<strong>red<\/strong>.*<\/del><ins>.*<strong>green<\/strong>/);
    expect(html("Read [this](https://a.example)", "Read [this](https://b.example)")).toContain("<del>");
    const box = html("> [!WARNING]\n> It is hot", "> [!WARNING]\n> It is very hot");
    expect(box).toContain('class="alert alert-warning"');
    expect(without("del", box)).toBe("Warning It is very hot");
  });

  it("show a step under its number, a row under its head, and code unchanged", () => {
    expect(html("3. Close it", "3. Lock it")).toContain('<ol start="3">');
    expect(html("| A |\n| --- |\n| 1 |", "| A |\n| --- |\n| 2 |")).toContain("<th>A</th>");
    expect(html("```\na b\n```", "```\na c\n```")).toContain("<pre>a ");
    expect(html("", "Text")).toContain("<ins>");
  });

  it("make no element of a text's own HTML", () => {
    const shown = html("Text", 'Text <img src="x" onerror="alert(1)">\n\n<script>alert(1)</script>\n');
    expect(shown).not.toMatch(/<(?:img|script)/);
    expect(html("", "![Plan](https://a.example/spy.png)")).not.toContain("<img");
    expect(html("", `![Plan](/api/assets/${"0".repeat(64)})`)).toContain("<img");
    expect(html("Text", "[Text](javascript:alert(1))")).not.toContain("href");
  });

  it("read as the one without what came, and as the other without what went", () => {
    const word = fc.constantFrom(
      "wash",
      "hands",
      "never",
      "**hot oil**",
      "`code`",
      "[link](https://a.example)",
      "30 s,",
    );
    const line = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
    const block = fc.oneof(
      line,
      line.map((text) => `## ${text}`),
      fc.array(line, { minLength: 1, maxLength: 3 }).map((items) => items.map((item) => `- ${item}`).join("\n")),
      line.map((text) => `> ${text}`),
      line.map((text) => `| A |\n| --- |\n| ${text} |`),
    );
    const text = fc.array(block, { maxLength: 3 }).map((blocks) => blocks.join("\n\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const shown = html(before, after);
        expect(without("del", shown)).toBe(without("del", html(after, after)));
        expect(without("ins", shown)).toBe(without("ins", html(before, before)));
      }),
      { numRuns: 40 },
    );
  });
});

describe("what a review shows", () => {
  const lines = (...all: string[]) => `${all.join("\n\n")}\n`;
  it("is each change with a neighbour on both sides; what is far from any is folded", () => {
    const base = lines("a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8");
    const compared = compareWithBase(base, base, base.replace("a4", "a4 and more"));
    const shown = reviewEntriesOf(compared, ({ by }) => by === "theirs").map((entry) =>
      "unchanged" in entry ? entry.unchanged.map(currentTextOf).join("+") : [entry.index, currentTextOf(entry.place)],
    );
    expect(shown).toEqual(["a1+a2", [-1, "a3"], [3, "a4"], [-1, "a5"], "a6+a7+a8"]);
  });
});
