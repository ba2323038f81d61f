/** Additional fonts for PDFs: the fonts of each script, and the npm package of the first font. */
import { refusals } from "./refusals.ts";
import type { MessageWithId } from "../language/catalog.ts";

export interface FontSet {
  /** The name that users see. */
  label: string;
  /** Matches the characters of the set. Four sets contain Chinese characters; `chineseFontSetOf` chooses one of them. */
  characters: RegExp;
  /**
   * Names of fonts with these characters, best first: the one that `sop fonts add` downloads, then fonts of operating
   * systems.
   */
  families: readonly [string, ...string[]];
  /** The npm package of the first family. */
  package: { name: string; version: string };
}

const notoFontPackage = (script: string, version: string) => ({
  name: `@expo-google-fonts/noto-sans-${script}`,
  version,
});

/** Matches Chinese characters, their punctuation, and full-width forms. */
const han = String.raw`\p{Script_Extensions=Han}\u3000-\u303f\uff00-\uffef`;

/** The font sets by their names for `sop fonts add`. */
export const fontSets = {
  chinese: {
    label: "Chinese, simplified",
    characters: new RegExp(`[${han}]`, "u"),
    families: [
      "Noto Sans SC",
      "Noto Sans CJK SC",
      "Source Han Sans SC",
      "PingFang SC",
      "Microsoft YaHei",
      "WenQuanYi Zen Hei",
    ],
    package: notoFontPackage("sc", "0.4.3"),
  },
  "chinese-traditional": {
    label: "Chinese, traditional",
    characters: new RegExp(String.raw`[${han}\p{Script_Extensions=Bopomofo}]`, "u"),
    families: ["Noto Sans TC", "Noto Sans CJK TC", "Source Han Sans TC", "PingFang TC", "Microsoft JhengHei"],
    package: notoFontPackage("tc", "0.4.3"),
  },
  japanese: {
    label: "Japanese",
    characters: new RegExp(String.raw`[\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}${han}]`, "u"),
    families: ["Noto Sans JP", "Noto Sans CJK JP", "Source Han Sans", "Hiragino Sans", "Yu Gothic", "IPAGothic"],
    package: notoFontPackage("jp", "0.4.3"),
  },
  korean: {
    label: "Korean",
    characters: new RegExp(String.raw`[\p{Script_Extensions=Hangul}${han}]`, "u"),
    families: ["Noto Sans KR", "Noto Sans CJK KR", "Source Han Sans K", "Apple SD Gothic Neo", "Malgun Gothic"],
    package: notoFontPackage("kr", "0.4.3"),
  },
  thai: {
    label: "Thai",
    characters: /\p{Script=Thai}/u,
    families: ["Noto Sans Thai", "Thonburi", "Leelawadee UI", "Garuda"],
    package: notoFontPackage("thai", "0.4.2"),
  },
  bengali: {
    label: "Bengali",
    characters: /\p{Script_Extensions=Bengali}/u,
    families: ["Noto Sans Bengali", "Kohinoor Bangla", "Nirmala UI", "Lohit Bengali"],
    package: notoFontPackage("bengali", "0.4.4"),
  },
  tamil: {
    label: "Tamil",
    characters: /\p{Script_Extensions=Tamil}/u,
    families: ["Noto Sans Tamil", "Tamil Sangam MN", "Nirmala UI", "Lohit Tamil"],
    package: notoFontPackage("tamil", "0.4.3"),
  },
  telugu: {
    label: "Telugu",
    characters: /\p{Script_Extensions=Telugu}/u,
    families: ["Noto Sans Telugu", "Kohinoor Telugu", "Nirmala UI", "Lohit Telugu"],
    package: notoFontPackage("telugu", "0.4.2"),
  },
  khmer: {
    label: "Khmer",
    characters: /\p{Script=Khmer}/u,
    families: ["Noto Sans Khmer", "Khmer Sangam MN", "Khmer UI"],
    package: notoFontPackage("khmer", "0.4.3"),
  },
} as const satisfies Record<string, FontSet>;

export type FontSetName = keyof typeof fontSets;
export const fontSetNames = Object.keys(fontSets) as FontSetName[];

const anyHan = fontSets.chinese.characters;
const ideograph = /\p{Script=Han}/u;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const hangul = /\p{Script=Hangul}/u;
const bopomofo = /\p{Script=Bopomofo}/u;

/**
 * Finds the font set for Chinese characters by the document's language, or else by other characters of the text,
 * because the characters look different in each language.
 * @param lang a BCP 47 tag
 * @returns the set; `chosen` is false if neither language nor text decides, so that the set is only the default
 */
export function chineseFontSetOf(lang: string | null, text: string): { set: FontSetName; chosen: boolean } {
  const [language = "", ...rest] = (lang ?? "").toLowerCase().split("-");
  const isTraditional = language === "yue" || rest.some((part) => /^(hant|tw|hk|mo)$/.test(part));
  if (/^(zh|yue|cmn)$/.test(language)) return { set: isTraditional ? "chinese-traditional" : "chinese", chosen: true };
  if (language === "ja" || language === "ko") return { set: language === "ja" ? "japanese" : "korean", chosen: true };
  if (kana.test(text)) return { set: "japanese", chosen: true };
  if (hangul.test(text)) return { set: "korean", chosen: true };
  if (bopomofo.test(text)) return { set: "chinese-traditional", chosen: true };
  return { set: "chinese", chosen: !ideograph.test(text) };
}

/**
 * Returns the font sets that a text needs for these characters, the most important first. Characters of unknown scripts
 * need no set.
 */
export function fontSetsFor(characters: readonly string[], lang: string | null, text: string): FontSetName[] {
  const { set: own } = chineseFontSetOf(lang, text);
  const needed = new Set<FontSetName>();
  for (const one of characters) {
    const first = anyHan.test(one) ? own : fontSetNames.find((name) => fontSets[name].characters.test(one));
    if (first !== undefined) needed.add(first);
  }
  return [...needed].sort((one, other) => Number(other === own) - Number(one === own));
}

/** Matches characters without a shape, such as spaces, joiners and selectors. */
const shapeless = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** Returns the different characters of a text for which a font is needed. */
export function charactersNeedingFont(text: string): string[] {
  return [...new Set(text)].filter((character) => !shapeless.test(character));
}

/** Characters that no font can show, as `details` of the error `font_missing`. */
export interface MissingCharacters {
  characters: string[];
  /** Line numbers of the Markdown with one of the characters, from 1. */
  lines: number[];
  /** The names of font sets with these characters. */
  fonts: FontSetName[];
}

export function missingCharactersOf(
  characters: readonly string[],
  { markdown, lang }: { markdown: string; lang: string | null },
): MissingCharacters {
  const lines = markdown.split("\n").flatMap((line, index) => (hasAnyCharacter(line, characters) ? [index + 1] : []));
  return { characters: [...characters], lines, fonts: fontSetsFor(characters, lang, markdown + characters.join("")) };
}

function hasAnyCharacter(text: string, characters: readonly string[]): boolean {
  return characters.some((one) => text.includes(one));
}

/** Writes the message: `No font has 日 (U+65E5), 本 (U+672C) in line 3`. */
export function missingFontMessage({
  characters,
  lines,
}: Pick<MissingCharacters, "characters" | "lines">): MessageWithId {
  const shown = characters.slice(0, most).map((one) => `${one} (U+${codePointHex(one)})`);
  return refusals.noFont({
    shown: shown.join(", "),
    more: Math.max(0, characters.length - most),
    count: lines.length,
    lines: lines.slice(0, most).join(", ") + (lines.length > most ? ", …" : ""),
  });
}

/** The maximum number of characters in the message. Further ones are only counted. */
const most = 5;

function codePointHex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}
