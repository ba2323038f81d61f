import { expect, test } from "vitest";
import {
  fontSets,
  fontSetsFor,
  chineseFontSetOf,
  missingCharactersOf,
  missingFontMessage,
  charactersNeedingFont,
} from "./fonts.ts";

const setsOf = (text: string, lang: string | null = null) => fontSetsFor(charactersNeedingFont(text), lang, text);

test.each([
  ["更换过滤器。", "zh", ["chinese"]],
  ["更換過濾器", "zh-TW", ["chinese-traditional"]],
  ["更換過濾器", "zh-Hant", ["chinese-traditional"]],
  ["手順書", "ja", ["japanese"]],
  ["절차 手順", "ko-KR", ["korean"]],
  ["ขั้นตอน", "th", ["thai"]],
  ["செயல்முறை", "ta", ["tamil"]],
  ["విధానం", "te", ["telugu"]],
  ["পদ্ধতি", null, ["bengali"]],
  ["ខ្មែរ", null, ["khmer"]],
  ["手順 and ขั้น", "ja", ["japanese", "thai"]],
  ["ขั้น and 手順", "ja", ["japanese", "thai"]],
  ["Plain, Ωμέγα and кириллица", "en", []],
])("%s in %s needs the fonts of %s", (text, lang, sets) => {
  expect(setsOf(text, lang)).toEqual(sets);
});

test("Han characters without a language follow the other characters of the text", () => {
  expect(chineseFontSetOf("en", "手順を読む")).toEqual({ set: "japanese", chosen: true });
  expect(chineseFontSetOf(null, "절차 手順")).toEqual({ set: "korean", chosen: true });
  expect(chineseFontSetOf(null, "ㄅ 過")).toEqual({ set: "chinese-traditional", chosen: true });
  expect(chineseFontSetOf("en", "过滤器")).toEqual({ set: "chinese", chosen: false });
  expect(chineseFontSetOf("en", "no such character")).toEqual({ set: "chinese", chosen: true });
});

test("characters without a shape need no font", () => {
  expect(charactersNeedingFont("a\u200d\ufe0f \u00ad\n\tb\u2060a")).toEqual(["a", "b"]);
});

test("a missing character is named with its lines and its fonts", () => {
  const missing = missingCharactersOf(["日", "本"], { markdown: "one\n日\n\n日本", lang: "ja" });
  expect(missing).toEqual({ characters: ["日", "本"], lines: [2, 4], fonts: ["japanese"] });
  expect(missingFontMessage(missing).text).toBe("No font has 日 (U+65E5), 本 (U+672C) in lines 2, 4");
  const many = [..."一二三四五六七"];
  expect(missingFontMessage({ characters: many, lines: [] }).text).toMatch(/\(U\+4E94\) and 2 more$/);
});

test("each set of fonts is a package with an exact version, under its family's name", () => {
  for (const { package: one, families } of Object.values(fontSets)) {
    expect(one.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(one.name).toBe(`@expo-google-fonts/${families[0].toLowerCase().replaceAll(" ", "-")}`);
  }
});
