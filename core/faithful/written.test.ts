import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differencesOfWriting } from "./written.ts";

describe("the written words of two Markdown texts", () => {
  it.each([
    ["* Stop  \n* Wait\n", "- Stop\\\n- Wait\n"],
    ["Keep 20~25 °C, 200*300 mm\n", "Keep 20\\~25 °C, 200\\*300 mm\n"],
    ["1. a\n1. b\n", "1. a\n2. b\n"],
    ["a\nb c\n", "a b\nc\n"],
    ["5&nbsp;bar &le; 7\n", "5\u00A0bar ≤ 7\n"],
    ["- [X] a\n1. [X] b\n", "- [x] a\n1. [x] b\n"],
    ["&amp;lt; 5\n", "\\&lt; 5\n"],
    ["$$\nx\n$$\n", "```math\nx\n```\n"],
    ["<Tabs>\nx\n</Tabs>\n", "<Tabs>\nx\n"],
    ["[a@b.org](mailto:a@b.org) <c@d.org>\n", "a@b.org [c@d.org](mailto:c@d.org)\n"],
    ["```` md\nx\n````\n", "```md\nx\n```\n"],
    ["![a](</x y.png>)\n", "![a](</x y.png> )\n"],
    ["www.x.org/y\n", "[www.x.org/y](http://www.x.org/y)\n"],
    ["Sicher\u00ADheit\n", "Sicherheit\n"],
    ["> quote 5\n", "- quote 5\n"],
    ["[ann@x.org](mailto:ann@x.org) <https://x.org>\n", "<ann@x.org> https://x.org\n"],
  ])("%j and %j are the same", (before, after) => {
    expect(differencesOfWriting(before, after)).toEqual([]);
  });

  it.each([
    ["Keep at 80 °C\n\nNever open it.\n", "Keep at 88 °C\n\nopen it.\n", [1, "80", "88"], [3, "Never", ""]],
    ["At -20 °C\n", "At 20 °C\n", [1, "-20", "20"]],
    ["p < 5 bar\n", "p > 5 bar\n", [1, "<", ">"]],
    ["| a | 7 |\n", "| a | |\n", [1, "7", ""]],
    ["5–7 bar\n", "57 bar\n", [1, "5 – 7", "57"]],
    ["at 10 µL\n", "at 10 L\n", [1, "µL", "L"]],
  ])("%j → %j is named", (before, after, ...expected) => {
    const changes = differencesOfWriting(before, after);
    expect(changes.map((change) => [change.line, change.before, change.after])).toEqual(expected);
  });

  it("leaves out lines with a note, and addresses on request", () => {
    expect(differencesOfWriting("!!! note\nHot\n", "Hot\n", { named: new Set([1]) })).toEqual([]);
    expect(
      differencesOfWriting("[a](b/c.md) <img src='x.png'>\n", "[a](/sop/1) <img src='/api/1'>\n", { addresses: false }),
    ).toEqual([]);
    expect(differencesOfWriting("[a](b)\n", "[a](c)\n")).toHaveLength(1);
  });

  it("finds every removed word of any text", () => {
    const word = fc.stringMatching(/^[a-z0-9äß°]{1,6}$/);
    const lines = fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(lines, fc.nat(), (text, seed) => {
        const line = seed % text.length;
        const at = seed % (text[line]?.length ?? 1);
        const without = text.map((words, index) => (index === line ? words.filter((_, place) => place !== at) : words));
        const [before, after] = [text, without].map((all) => all.map((words) => words.join(" ")).join("\n"));
        expect(differencesOfWriting(before ?? "", before ?? "")).toEqual([]);
        expect(differencesOfWriting(before ?? "", after ?? "").length).toBeGreaterThan(0);
      }),
    );
  });
});
