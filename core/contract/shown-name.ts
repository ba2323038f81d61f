/** Names that others see: no character in them is invisible, or changes how the characters beside it look. */
import { z } from "zod";
import { missing } from "./parts.ts";

/** Scripts that write some words with joiners (U+200C, U+200D): Persian, the scripts of India, Khmer and others. */
const joining =
  "\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}";
const joiner = new RegExp(`(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])`, "gu");
/** Emoji of several parts: their joiners and the mark that shows them in color. */
const emoji =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\ufe0f/gu;
/** U+2800 is an empty Braille cell; U+FFFC and U+FFFD stand for what is missing. */
const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\ufffd]/u;

const hiddenMessage = "Remove the invisible characters, or type the name again";

/** Is a character a control, invisible, or one that reverses others? Joiners that a script or an emoji needs are none. */
export function hasHidden(text: string): boolean {
  return hidden.test(text.replaceAll(joiner, "").replaceAll(emoji, ""));
}

/** For names that come from files and can't be refused. */
export function withoutHidden(text: string): string {
  return hasHidden(text) ? text.replaceAll(new RegExp(hidden, "gu"), "") : text;
}

/** Spaces of any width are one space. */
const withPlainSpaces = (text: string) =>
  text
    .normalize("NFC")
    .replaceAll(/\p{Zs}+/gu, " ")
    .trim();

/** A name that must be given: trimmed, in one normal form. */
export function shownName(message: string, least = 1) {
  return z
    .string(missing(message))
    .overwrite(withPlainSpaces)
    .min(least, message)
    .refine((text) => !hasHidden(text), hiddenMessage);
}

/** A line beside a name, such as a job title: it can be empty. */
export function shownLine(most: number, message?: string) {
  return z
    .string()
    .overwrite(withPlainSpaces)
    .max(most, message)
    .refine((text) => !hasHidden(text), hiddenMessage);
}
