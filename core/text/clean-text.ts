/** Removes characters that no page can show and that break some programs. */

import { messageAndReasonOf, sentences, type MessageWithId } from "#core/language/catalog.ts";
const unprintable =
  // oxlint-disable-next-line no-control-regex -- the pattern finds control characters to remove
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\ufeff]|\p{Noncharacter_Code_Point}|\p{Cs}|\p{Co}/gu;
const isolates = /[\u2066-\u2069]/g;
/** The character that ends an isolate (Unicode TR9). */
const closing = "\u2069";

/** Line and page breaks, and vertical tabs, which become spaces because they separate words. */
// oxlint-disable-next-line no-control-regex -- the pattern finds control characters to replace
const between = /[\u000b\u000c\u0085\u2028\u2029]/g;

/**
 * Removes control characters, halves of surrogate pairs, private characters, and marks that reverse the following text,
 * which could make a name look different. Keeps tabs and line ends.
 */
export function cleanText(text: string): string {
  return cleanBlockText(text).replace(isolates, "");
}

/**
 * Like `cleanText`, but keeps isolates, because they keep the order of digits in right-to-left text. `cleanMarkdown`
 * removes isolates from blocks that can't need them.
 */
export function cleanBlockText(text: string): string {
  return text.replace(between, " ").replace(unprintable, "");
}

/**
 * Like `cleanText`, for a title or another short text: right-to-left text keeps its isolates. Each isolate is closed,
 * so that it doesn't change the words after the text.
 */
export function cleanLine(text: string): string {
  const kept = cleanBlockText(text);
  if (!needsDirectionMarks(kept)) return kept.replace(isolates, "");
  let open = 0;
  const paired = kept.replace(isolates, (isolate) => {
    if (isolate === closing && open === 0) return "";
    open += isolate === closing ? -1 : 1;
    return isolate;
  });
  return paired + closing.repeat(open);
}

/** Matches a letter of a right-to-left script. */
export const fromRight = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Tells whether a text is read from right to left. Its first letter decides (Unicode TR9, P2). */
export function isRightToLeft(text: string): boolean {
  const [letter] = /\p{L}/u.exec(text) ?? [];
  return letter !== undefined && fromRight.test(letter);
}

/** Control characters, and U+202A to U+202E, which reverse the text after them: `stay \u202Enepo` reads "stay open". */
// oxlint-disable-next-line no-control-regex -- the pattern finds control characters to remove
const controls = /[\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f\u202a-\u202e]|\p{Noncharacter_Code_Point}/gu;
/** Control characters that separate words: tabs and separators of lines, pages, files and records. */
// oxlint-disable-next-line no-control-regex -- the pattern finds control characters to replace
const dividers = /[\u000b\u000c\u001c-\u001f\u0085\u2028\u2029]/g;
/**
 * Marks and isolates of direction. Only right-to-left text needs them; in other text, they could make 1 → 2 read 2 → 1.
 */
const directions = /[\u061c\u200e\u200f\u2066-\u2069]/g;
/**
 * Matches a right-to-left letter, or an Arabic digit, which also reverses the text beside it: `٥–٧` reads "7–5". U+061C
 * is excluded, because it is a mark of direction although it belongs to the Arabic script.
 */
const turning = new RegExp(`(?!\\u061c)${fromRight.source}|[\\u0660-\\u0669]`, "u");
const withoutWidth = /[\u200b\u2060\ufeff]/g;

/** Matches a character that changes the direction of other characters. */
export const directionChangePattern = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Tells whether a text can need marks of direction: only a text with right-to-left letters or Arabic digits. */
export const needsDirectionMarks = (text: string): boolean => turning.test(text);

export const withoutDirectionMarks = (text: string): string => text.replace(directions, "");

/** Removes control characters, except for tabs and line ends. Characters that separate words become spaces. */
export function withoutControlCharacters(text: string): string {
  return text.replace(dividers, " ").replace(controls, "");
}

/**
 * Removes control characters from a text such as a field, and marks of direction if no part of the text can need them.
 * `cleanMarkdown` decides this for each paragraph of a Markdown text.
 */
export function withoutNeedlessControls(text: string): string {
  const kept = withoutControlCharacters(text);
  return directionChangePattern.test(kept) && !needsDirectionMarks(kept) ? withoutDirectionMarks(kept) : kept;
}

/** Applies `withoutNeedlessControls` to each line of a text, such as front matter. */
export const withoutNeedlessControlsInLines = (text: string): string =>
  text.replace(/[^\r\n]+/g, withoutNeedlessControls);

/** Like `withoutNeedlessControls`, for a title or another short text: also removes spaces without width. */
export function withoutUnseenCharacters(text: string): string {
  return withoutNeedlessControls(text).replace(withoutWidth, "");
}

const texts = sentences("core.text.controls", {
  dropped: "the control character {character} was dropped",
  space: "the control character {character} became a space",
  narrow: "the space without width {character} was dropped",
  field: "{field}: {change}",
});

/** Notes for the author on the characters that a cleaned text lost, one for each line (1-based). */
export function notesOnLostCharacters(text: string, cleaned: string): { line: number; sentence: MessageWithId }[] {
  if (cleaned === text) return [];
  const lines = cleaned.split("\n");
  const pieceCount = (words: string, mark: string) => words.split(mark).length;
  return text.split("\n").flatMap((words, index) => {
    const kept = lines[index] ?? "";
    const marks = [...new Set(words.match(directions))].filter((one) => pieceCount(words, one) > pieceCount(kept, one));
    const notes = [
      [[...(words.match(controls) ?? []), ...marks], texts.dropped],
      [words.match(dividers) ?? [], texts.space],
    ] as const;
    return notes.flatMap(([found, says]) =>
      found.length === 0 ? [] : [{ line: index + 1, sentence: says({ character: codePointNamesOf(found) }) }],
    );
  });
}

/** Returns notes for the author on what `withoutUnseenCharacters` changes in the text of a field. */
export function notesOnUnseenCharacters(field: string, text: string) {
  const spaces = text.match(withoutWidth) ?? [];
  const found = [
    ...notesOnLostCharacters(text, withoutNeedlessControls(text)).map(({ sentence }) => sentence),
    ...(spaces.length === 0 ? [] : [texts.narrow({ character: codePointNamesOf(spaces) })]),
  ];
  const each = new Map(found.map((change) => [change.text, change]));
  return [...each.values()].map((change) => ({
    code: "control-characters" as const,
    ...messageAndReasonOf(texts.field({ field, change })),
  }));
}

function codePointNamesOf(characters: readonly string[]): string {
  const names = characters.map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`);
  return [...new Set(names)].join(", ");
}
