/** The language in which texts are written now. */

/** As written, or as the web's build compiled them. */
export interface Messages {
  readonly [name: string]: string | Messages;
}

export interface Language {
  /** BCP 47: 'de', 'pt-BR'. */
  code: string;
  /** Messages by the name of their catalog; what is missing is shown in English. */
  texts: Readonly<Record<string, Messages>>;
}

export const english: Language = { code: "en", texts: {} };
let spoken = english;

/** Chosen once, before the screens load. */
export function speak(language: Language): void {
  spoken = language;
}

export const languageCode = (): string => spoken.code;
export const spokenTexts = (): Language["texts"] => spoken.texts;
