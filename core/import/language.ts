import type { ConversionReport } from "#core/import/markdown/report.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";

const names = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

/** The English name of a language with its tag: `German (de)`. */
function languageName(tag: string): string {
  try {
    return `${names.of(tag) ?? tag} (${tag})`;
  } catch {
    return tag;
  }
}

/**
 * Sets the detected language of an imported text without one, and reports it. English needs no entry, because it is the
 * default.
 */
export function setLanguage(front: FrontMatter, lang: string | undefined, report: ConversionReport): void {
  if (front.lang !== undefined || lang === undefined || lang === "en") return;
  front.lang = lang;
  report.add("language", `the language is ${languageName(lang)}, by the words of the text`);
}
