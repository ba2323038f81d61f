/**
 * Loads the fonts of PDFs. They are part of the server, so that a document looks the same on every machine (OFL 1.1).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { canShowCharacter } from "./find-fonts.ts";
import { parseFontFaces } from "./font-file.ts";

const faces: [name: string, styles: string[]][] = [
  ["NotoSans", ["400Regular", "400Regular_Italic", "600SemiBold", "600SemiBold_Italic", "700Bold", "700Bold_Italic"]],
  ["NotoSansMono", ["400Regular", "700Bold"]],
  ["NotoSansHebrew", ["400Regular", "700Bold"]],
  ["Amiri", ["400Regular", "700Bold"]],
  ["NotoSansArabic", ["400Regular", "700Bold"]],
  ["NotoSansSymbols", ["400Regular", "700Bold"]],
  ["NotoSansSymbols2", ["400Regular"]],
  ["NotoEmoji", ["400Regular", "700Bold"]],
];

const fontPackageOf = (name: string): string =>
  `@expo-google-fonts/${name.replace(/(?<=[a-z])(?=[A-Z\d])/g, "-").toLowerCase()}`;

/**
 * Finds all font files in the installed packages. The keys are the names that the files get in a packed program, where
 * they are compressed.
 */
export function findFontFiles(): Map<string, string> {
  const { resolve } = createRequire(import.meta.url);
  return new Map(
    faces.flatMap(([name, styles]) =>
      styles.map((style) => [
        `${name}_${style}.ttf.br`,
        resolve(`${fontPackageOf(name)}/${style}/${name}_${style}.ttf`),
      ]),
    ),
  );
}

export interface OwnFonts {
  files: Buffer[];
  has(character: string): boolean;
}

export function loadFonts(): OwnFonts {
  const beside = path.join(import.meta.dirname, "fonts");
  const files = existsSync(beside)
    ? readdirSync(beside).map((name) => brotliDecompressSync(readFileSync(path.join(beside, name))))
    : [...findFontFiles().values()].map((file) => readFileSync(file));
  const all = files.flatMap(parseFontFaces).filter(({ italic, weight }) => !italic && weight === 400);
  return {
    files,
    has: (character) => typesetterCharacters.test(character) || all.some((face) => canShowCharacter(face, character)),
  };
}

/**
 * Matches the characters that the typesetter's own font (DejaVu Sans Mono 2.37) adds: Armenian, Georgian, Lao, arrows
 * and mathematics.
 */
export const typesetterCharacters =
  /[\u0531-\u0556\u0559-\u055f\u0561-\u0587\u0589-\u058a\u0e3f\u0e81-\u0e82\u0e84\u0e87-\u0e88\u0e8a\u0e8d\u0e94-\u0e97\u0e99-\u0e9f\u0ea1-\u0ea3\u0ea5\u0ea7\u0eaa-\u0eab\u0ead-\u0eb9\u0ebb-\u0ebc\u0ec8-\u0ecd\u10d0-\u10fa\u10fc\u219a-\u219b\u219f\u21a1\u21a5\u21a7-\u21a8\u21ab-\u21ae\u21b0-\u21cf\u21d5-\u21d9\u21dc-\u21e5\u21f1-\u21f2\u21f4-\u21ff\u220f\u2211\u2213\u2215\u2217\u221b-\u221d\u221f\u222b-\u222d\u2239-\u223b\u2242\u2244\u2246\u224d-\u2253\u2256\u2258-\u225e\u2263\u2266-\u2269\u226d\u2276-\u2279\u227c-\u2281\u228a-\u228b\u228d\u228f-\u2290\u229d-\u22a1\u22b2-\u22b3\u22cf\u22da-\u22e1\u22e4-\u22eb\u22ef\u27c2\u27c5-\u27c6\u27e0\u27f7\u2997-\u2998\u29fa-\u29fb\u2a2f\u2a6a-\u2a6b\u{1d55a}\u{1d670}-\u{1d6a3}\u{1d7f6}-\u{1d7ff}]/u;
