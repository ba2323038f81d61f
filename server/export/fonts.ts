/** The fonts of PDFs. They come with the server, so that a document looks the same on every machine (OFL 1.1). */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const faces: [name: string, styles: string[]][] = [
  ["NotoSans", ["400Regular", "400Regular_Italic", "600SemiBold", "600SemiBold_Italic", "700Bold", "700Bold_Italic"]],
  ["NotoSansMono", ["400Regular", "700Bold"]],
  ["NotoSansHebrew", ["400Regular", "700Bold"]],
  ["NotoSansArabic", ["400Regular", "700Bold"]],
  ["NotoSansSymbols", ["400Regular", "700Bold"]],
  ["NotoSansSymbols2", ["400Regular"]],
  ["NotoEmoji", ["400Regular", "700Bold"]],
];

const packageOf = (name: string): string =>
  `@expo-google-fonts/${name.replace(/(?<=[a-z])(?=[A-Z\d])/g, "-").toLowerCase()}`;

export const fontPackages = faces.map(([name]) => packageOf(name));

export function loadFonts(): Buffer[] {
  const { resolve } = createRequire(import.meta.url);
  return faces.flatMap(([name, styles]) =>
    styles.map((style) => readFileSync(resolve(`${packageOf(name)}/${style}/${name}_${style}.ttf`))),
  );
}
