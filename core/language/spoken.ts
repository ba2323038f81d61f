/** The language in which texts are shown. */

/** Messages by key, in nested groups: texts, or the arrays into which the web's build compiled them. */
export interface MessageTree {
  readonly [name: string]: string | MessageTree;
}

export interface Language {
  /** The BCP 47 tag: 'de', 'pt-BR'. */
  code: string;
  /** Messages by the name of their catalog. Missing ones are shown in English. */
  texts: Readonly<Record<string, MessageTree>>;
}

export const english: Language = { code: "en", texts: {} };
let spoken = english;

/** Sets the language once, before the screens load. */
export function setSpokenLanguage(language: Language): void {
  spoken = language;
}

export const languageCode = (): string => spoken.code;
export const spokenTexts = (): Language["texts"] => spoken.texts;
