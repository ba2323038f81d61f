import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseFontFaces, readFontFaces } from "./font-file.ts";
import { findFonts, canShowCharacter } from "./find-fonts.ts";

const { resolve } = createRequire(import.meta.url);
const fontFile = (set: string, name: string) => resolve(`@expo-google-fonts/${set}/${name}.ttf`);
const hebrew = fontFile("noto-sans-hebrew", "400Regular/NotoSansHebrew_400Regular");
const arabic = fontFile("noto-sans-arabic", "700Bold/NotoSansArabic_700Bold");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sop-fonts-"));
  mkdirSync(path.join(folder, "deep"));
  copyFileSync(hebrew, path.join(folder, "deep", "hebrew.ttf"));
  copyFileSync(arabic, path.join(folder, "arabic.ttf"));
  writeFileSync(path.join(folder, "broken.ttf"), Buffer.from([0, 1, 0, 0, 255, 255, 1]));
  writeFileSync(path.join(folder, "words.otf"), "no font");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a font file says its family, weight and characters", () => {
  const [face] = readFontFaces(arabic);
  expect(face).toMatchObject({ family: "Noto Sans Arabic", weight: 700, italic: false });
  expect(["م", "1", "א", "日", "\u{1f600}"].map((one) => face?.has(one.codePointAt(0) ?? 0))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  const [italic] = readFontFaces(fontFile("noto-sans", "400Regular_Italic/NotoSans_400Regular_Italic"));
  expect(italic).toMatchObject({ family: "Noto Sans", italic: true });
  const [semiBold] = readFontFaces(fontFile("noto-sans", "600SemiBold/NotoSans_600SemiBold"));
  expect(semiBold).toMatchObject({ family: "Noto Sans", weight: 600 });
});

test("characters beyond the first 65,536 are found", () => {
  const [emoji] = readFontFaces(fontFile("noto-emoji", "400Regular/NotoEmoji_400Regular"));
  expect([0x1f600, 0x1f680, 0x20000].map((code) => emoji?.has(code))).toEqual([true, true, false]);
});

test("a collection has the faces of all its fonts", () => {
  expect(parseFontFaces(collectionOf([hebrew, arabic])).map(({ family }) => family)).toEqual([
    "Noto Sans Hebrew",
    "Noto Sans Arabic",
  ]);
});

test("fonts are found in a folder by their characters, files that are no fonts are passed over", () => {
  expect(findFonts(["א", "م", "日"], [], [path.join(folder, "absent"), folder])).toEqual({
    families: ["Noto Sans Arabic", "Noto Sans Hebrew"],
    files: [path.join(folder, "arabic.ttf"), path.join(folder, "deep", "hebrew.ttf")],
    lacking: ["日"],
  });
});

test("a preferred family comes first, and one that has nothing more is left out", () => {
  // both have digits
  expect(findFonts(["1"], ["Noto Sans Hebrew"], [folder])).toMatchObject({ families: ["Noto Sans Hebrew"] });
  expect(findFonts(["1"], ["Noto Sans Arabic"], [folder])).toMatchObject({ families: ["Noto Sans Arabic"] });
  expect(findFonts([], [], [folder])).toEqual({ families: [], files: [], lacking: [] });
});

test("a letter with an accent is set from its parts", () => {
  const has = (code: number) => code === 0x65 || code === 0x301;
  expect(["e", "é", "è"].map((one) => canShowCharacter({ has }, one))).toEqual([true, true, false]);
});

/** As systems have them: one file, each font with its place. */
function collectionOf(files: readonly string[]): Buffer {
  const head = Buffer.alloc(12 + 4 * files.length);
  head.write("ttcf", "latin1");
  head.writeUInt32BE(0x1_0000, 4);
  head.writeUInt32BE(files.length, 8);
  const parts: Buffer[] = [head];
  let at = head.length;
  for (const [index, file] of files.entries()) {
    const font = readFileSync(file);
    head.writeUInt32BE(at, 12 + 4 * index);
    for (let row = 12; row < 12 + 16 * font.readUInt16BE(4); row += 16) {
      font.writeUInt32BE(font.readUInt32BE(row + 8) + at, row + 8);
    }
    parts.push(font);
    at += font.length;
  }
  return Buffer.concat(parts);
}
