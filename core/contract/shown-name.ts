/**
 * Schemas for names that other people see. They refuse invisible characters and characters that change how their
 * neighbors look.
 */
import { z } from "zod";
import { missingValueError, sentenceError } from "./parts.ts";
import { sentences, type MessageWithId } from "../language/catalog.ts";

const refusals = sentences("core.contract.shown-name", {
  hidden: "Remove the invisible characters, or type the name again",
});

/** Scripts in which some words need joiners (U+200C, U+200D): Persian, the scripts of India, Khmer and others. */
const joining =
  "\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}";
const joiner = new RegExp(`(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])`, "gu");
/** Matches the parts of emoji that are invisible by themselves: joiners, and the mark that shows an emoji in color. */
const emoji =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\ufe0f/gu;
/**
 * Matches hidden characters. U+2800 is an empty Braille cell; U+FFFC and U+FFFD are placeholders for missing
 * characters.
 */
const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\ufffd]/u;

/**
 * Tells whether a text has control characters, invisible characters, or characters that reverse others. Joiners that a
 * script or an emoji needs are allowed.
 */
function hasHiddenCharacters(text: string): boolean {
  return hidden.test(text.replaceAll(joiner, "").replaceAll(emoji, ""));
}

/** Removes hidden characters, for names from files, which can't be refused. */
export function withoutHiddenCharacters(text: string): string {
  return hasHiddenCharacters(text) ? text.replaceAll(new RegExp(hidden, "gu"), "") : text;
}

/** Replaces spaces of any width by single plain spaces, trims the ends, and applies Unicode normal form C. */
const withPlainSpaces = (text: string) =>
  text
    .normalize("NFC")
    .replaceAll(/\p{Zs}+/gu, " ")
    .trim();

/** Returns the schema of a required name, trimmed and in Unicode normal form. */
export function displayNameSchema(sentence: () => MessageWithId, least = 1) {
  return z
    .string(missingValueError(sentence))
    .overwrite(withPlainSpaces)
    .min(least, sentenceError(sentence))
    .refine((text) => !hasHiddenCharacters(text), sentenceError(refusals.hidden));
}

/** Returns the schema of an optional line shown next to a name, such as a job title. */
export function displayLineSchema(most: number, sentence?: () => MessageWithId) {
  return z
    .string()
    .overwrite(withPlainSpaces)
    .max(most, sentence && sentenceError(sentence))
    .refine((text) => !hasHiddenCharacters(text), sentenceError(refusals.hidden));
}
