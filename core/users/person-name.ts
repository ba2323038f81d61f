/**
 * Checks names of people. Each word uses one script, and a whole name at most one besides Latin, so that no letter can
 * imitate one of another alphabet.
 */
import { displayNameSchema } from "../contract/shown-name.ts";
import { sentences } from "../language/catalog.ts";
import { sentenceError } from "../contract/parts.ts";

const refusals = sentences("core.users.person-name", {
  short: "Name must be at least 2 characters",
  mixedName: "Write the name in one alphabet, or in Latin letters and one other",
  mixedWord: "Write each word of the name in one alphabet",
  decision: "Write the name alone, without a decision or a year",
  address: "Write the name alone, without an address",
  noName: "Use letters. Marks need a letter to stand on",
});

/** The scripts in everyday use (Unicode UAX 31, tables 5 and 7). Old scripts have letters that look like Latin ones. */
const scripts =
  "Latn Cyrl Grek Arab Armn Beng Deva Ethi Geor Gujr Guru Hebr Khmr Knda Laoo Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt Adlm Bali Bamu Batk Cakm Cans Cham Cher Java Kali Lana Lepc Limb Lisu Mand Mong Mtei Newa Nkoo Olck Osge Plrd Rohg Saur Sund Sylo Syrc Tale Talu Tavt Tfng Vaii Yiii";
/**
 * Scripts that one word can mix in Japanese, Chinese and Korean, also with Latin letters (Unicode UTS 39, highly
 * restrictive).
 */
const together = ["Latn Hani Hira Kana", "Latn Hani Bopo", "Latn Hani Hang"];
const rows = [...scripts.split(" "), ...together];
const words = rows.map(onlyScriptsPattern);
/** Matches names that mix Latin words with words of one other script. */
const wholeNames = rows.map((row) => onlyScriptsPattern(`Latn ${row}`));
/** Words for decisions about a document. Words for people, such as `Approver`, are missing, because they name roles. */
const decisionWords = [
  "approves? approvals? unapproved disapproved preapproved signed released accepted agreed certified endorsed ratified",
  "rejects? verif(?:y|ies) validates? confirms? authori[sz]es? declined denied withdrawn superseded",
  "genehmigung freigabe geprueft bestaetigt unterschrieben unterzeichnet firmad[oa] firmato assinad[oa] ondertekend",
];
/** Words for decisions that also count as the beginning of a longer word. */
const decisionStarts = [
  "approved rejected reviewed verified validated confirmed authori[sz]ed genehmigt freigegeben geprüft bestätigt",
  "abgelehnt approuvé validé vérifié confirmé aprobad[oa] validad[oa] verificad[oa] confirmad[oa] approvat[oa]",
  "convalidat[oa] verificat[oa] confermat[oa] goedgekeurd gevalideerd bevestigd aprovad[oa] одобрен утвержден",
  "утверждён подтвержден подтверждён подписан проверен",
];
const patternAlternatives = (rows: readonly string[]) => rows.join(" ").replaceAll(" ", "|");
/** Matches a decision in a name, because "Ada Lovelace approved" would look like a signature. */
const decision = new RegExp(
  `(?<!\\p{L})(?:(?:${patternAlternatives(decisionWords)})(?!\\p{L})|${patternAlternatives(decisionStarts)})|批准|承認|审核|審核|核准|签署|已签`,
  "iu",
);
const year = /(?<![\p{L}\p{N}])(?:19|20)\d\d(?![\p{L}\p{N}])/u;
/** The letters that the digits 0 to 9 look like, as in `Appr0ved`; two rows, because 1 looks like i and l. */
const digitLetters = ["oizeasgtbg", "olzeasgtbg"];

function hasDecisionWord(name: string): boolean {
  const readings = digitLetters.map((letters) => name.replaceAll(/\d/g, (digit) => letters[Number(digit)] ?? digit));
  return [name, ...readings].some((reading) => decision.test(reading));
}

/** Matches web and email addresses, such as `evil.example`, but neither `J.R. Smith` nor `St.John`. */
const address = /[\p{L}\p{N}]\.\p{Ll}{2,}|:\/\/|@/u;

function onlyScriptsPattern(row: string): RegExp {
  const letters = row.split(" ").map((script) => `\\p{scx=${script}}`);
  return new RegExp(`^[${letters.join("")}\\p{scx=Zyyy}\\p{scx=Zinh}]+$`, "u");
}
/**
 * Matches bold, circled, ligature and full-width letters, which are replaced by plain letters. Other compatibility
 * letters, such as ª, are kept.
 */
const decoratedLetters =
  /[\u2100-\u211f\u2121\u2123-\u214f\u2460-\u24ff\ufb00-\ufdff\ufe70-\uffef\u{1d400}-\u{1d7ff}\u{1f100}-\u{1f1ff}]+/gu;
/** Matches more combining marks on one letter than any language uses. */
const piledMarks = /\p{M}{5}/u;

/**
 * Matches symbols that look like letters, and the superscript letters and small capitals of phonetic writing and old
 * prints.
 */
const oddLetters =
  /[\p{Sm}\p{So}|\u1d00-\u1dbf\u02b0-\u02b8\u02e0-\u02e4\u2071-\u209c\u0262\u026a\u0274\u0276\u0280\u0281\u028f\u0299\u029b-\u029f\ua722-\ua78a\ua78e-\ua7ff\uab30-\uab6f]/u;

export const personName = displayNameSchema(refusals.short, 2)
  .overwrite((name) => name.replaceAll(decoratedLetters, (letters) => letters.normalize("NFKC")))
  .max(120)
  .refine(
    (name) => /\p{L}|\p{N}/u.test(name) && !/(?:^|\s)\p{M}/u.test(name) && !piledMarks.test(name),
    sentenceError(refusals.noName),
  )
  .refine((name) => !oddLetters.test(name), sentenceError(refusals.noName))
  .refine((name) => (name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).every(isOneScript), sentenceError(refusals.mixedWord))
  .refine((name) => wholeNames.some((one) => one.test(name)), sentenceError(refusals.mixedName))
  .refine((name) => !year.test(name) && !hasDecisionWord(name), sentenceError(refusals.decision))
  .refine((name) => !address.test(name), sentenceError(refusals.address));

function isOneScript(word: string): boolean {
  return words.some((one) => one.test(word));
}
