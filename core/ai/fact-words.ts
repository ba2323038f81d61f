/**
 * Words that decide the meaning of a step, in all supported languages: duty, negation, order, limits, directions,
 * roles.
 */
import { german } from "./words/de.ts";
import { english } from "./words/en.ts";
import { spanish } from "./words/es.ts";
import { french } from "./words/fr.ts";
import { italian } from "./words/it.ts";
import { dutch } from "./words/nl.ts";
import { portuguese } from "./words/pt.ts";
import type { LanguageWords } from "./words/notation.ts";

export const factLanguages = ["en", "de", "fr", "es", "it", "pt", "nl"] as const;
export type FactLanguage = (typeof factLanguages)[number];

export const factWords: Readonly<Record<FactLanguage, LanguageWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  nl: dutch,
};

/**
 * Matches a signal word such as "Warning:" at the start of a paragraph or step, which makes the paragraph a warning.
 */
export const signalWords =
  /^[^\p{L}]*(?:warning|danger|caution|attention|achtung|warnung|gefahr|vorsicht|avertissement|mise en garde|advertencia|peligro|precaución|atención|attenzione|avvertenza|avvertimento|pericolo|cautela|aviso|perigo|cuidado|atenção|waarschuwing|gevaar|let op|voorzichtig)\s*[:!–—-]/iu;
