import bidiFactory from "bidi-js";
import { describe, expect, it } from "vitest";
import { renderHtml } from "../markdown/render.ts";
import { isDocumentRightToLeft, isTextRightToLeft, withMeasureOrderMarks } from "./direction.ts";
import { readExportBlocks } from "./read-blocks.ts";
import { blocksForTypesetting } from "./settable.ts";

const bidi = bidiFactory();
const hebrew = "נוהל זה מתאר כיצד להחליף את המסנן";
const arabic = "يصف هذا الإجراء كيفية استبدال المرشح";
const english = "This procedure says how a filter is replaced.";

describe("a document", () => {
  it.each([
    ["he", hebrew, true],
    ["ar-EG", arabic, true],
    ["fa", arabic, true],
    [null, hebrew, true],
    ["en", arabic, true],
    // few words of its language between many others
    ["he", `${english} ${english} ${hebrew}`, true],
    ["en", `${english} ${english} ${hebrew}`, false],
    // its language says so, but no letter does
    ["he", english, false],
    ["ar", "", false],
    ["en", english, false],
    ["hi", "प्रक्रिया", false],
  ])("in %s with the text %s is read from the right: %s", (lang, markdown, expected) => {
    expect(isDocumentRightToLeft({ lang, title: "42", markdown })).toBe(expected);
  });

  it("is not from the left because of its code and addresses", () => {
    const code = `\`\`\`sh\n${"systemctl stop pump ".repeat(9)}\n\`\`\`\n`;
    const link = `[קישור](https://example.org/${"a-long-path/".repeat(9)})`;
    const markdown = `${hebrew}\n\n${code}\n${link} <b>\`${"inline ".repeat(9)}\`</b>\n`;
    expect(isDocumentRightToLeft({ lang: null, title: "נוהל", markdown })).toBe(true);
  });
});

it("a piece of text follows its first letter; in a document from the right, any letter from the right", () => {
  const texts = ["SAP פתח", "פתח SAP", "Press Enter.", "42"];
  expect(texts.map((text) => isTextRightToLeft(text, false))).toEqual([false, true, false, false]);
  expect(texts.map((text) => isTextRightToLeft(text, true))).toEqual([true, true, false, false]);
});

it.each([
  ["עד |80 °C או |5–7 bar"],
  // a prefix, not a minus
  ["ו-|5 mm ומ־|80 °C"],
  ["עד |-20 °C"],
  ["לחץ |≤ 5 bar, |<3 mm"],
  ["לחות |12.5 %| ו-|7%"],
  ["فشار |۵–۷ bar"],
  ["ביום |2026-11-28"],
  ["שסתום V-5 פעמים 3"],
  ["עד |80-90 °C או |-5-10 °C"],
  ["מ־|-20…-10 °C, |10 - 20 bar"],
  ["ضغط |5-10 bar ثم |80 – 90 °C"],
  ["משקל |1 000 kg, נפח |5 m³"],
  ["טלפון |+49 30 1234 או |050 123 4567"],
  ["ضغط |10⁻³ mbar"],
  ["לוח |10×20 mm, בורג |3½ mm"],
  ["ריכוז |5 %–10 %| בלבד"],
  ["עובי |3.5 ≤ x ≤ 4.5 mm"],
  ["שלב 3 10 פעמים"],
])("measures in text from the right keep their order: %s", (marked) => {
  expect(withMeasureOrderMarks(marked.replaceAll("|", ""))).toBe(marked.replaceAll("|", "\u200e"));
});

it("measures are shown in the order in which they are written, before and after letters of two scripts", () => {
  const units = ["80-90 °C", "-5-10 °C", "5-10 bar", "1 000 kg", "-20…-10 °C", "+49 30 1234", "10⁻³ mbar", "5 %–10 %"];
  for (const measure of [...units, "3.5 ≤ x ≤ 4.5 mm", "10×20 mm", "5 m³", "3½ mm", "12.5 %", "≤ 5 bar", "2026-11-28"])
    for (const word of ["עד", "ضغط"]) {
      const text = withMeasureOrderMarks(`${word} ${measure} ${word}`);
      const shown = bidi.getReorderedString(text, bidi.getEmbeddingLevels(text, "rtl")).replaceAll("\u200e", "");
      expect(shown).toContain(measure);
    }
});

it("measures in notes keep their order, also below a line from the left", () => {
  const blocks = blocksForTypesetting(readExportBlocks(renderHtml("English[^1]\n\n[^1]: הערה 5 mm.\n")));
  expect(JSON.stringify(blocks)).toContain("הערה \u200e5 mm.");
});
