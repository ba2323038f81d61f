import { texts } from "./markdown/note-texts.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import type { ConversionReport } from "#core/import/markdown/report.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";

const names = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

/** Returns the note with the English name of a language; in other languages, the note can omit the name. */
function languageNote(tag: string): MessageWithId {
  try {
    return texts.detected({ name: names.of(tag) ?? tag, tag });
  } catch {
    return texts.detectedTag({ tag });
  }
}

/**
 * Adds the detected language to front matter without a language, and reports it. English is not added, because it is
 * the default.
 */
export function addDetectedLanguage(front: FrontMatter, lang: string | undefined, report: ConversionReport): void {
  if (front.lang !== undefined || lang === undefined || lang === "en") return;
  front.lang = lang;
  report.add("language", languageNote(lang));
}
