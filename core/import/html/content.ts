/** Checks conversions of HTML: compares what a browser shows of the source with what it shows of the stored text. */
import type { Root } from "hast";
import { canonicalBody, type CanonicalBody } from "#core/import/markdown/canonical-body.ts";
import { createReport } from "#core/import/markdown/report.ts";
import { isSentence, type MessageWithId } from "#core/language/catalog.ts";
import { convertHtml } from "#core/markdown/from-html.ts";
import { linkedImages } from "#core/markdown/html/losses.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { renderWithTree } from "#core/markdown/render.ts";
import { setStepIds } from "#core/steps/steps-of.ts";
import { notesOfChanges, differencesOfReadings, type ConversionChange } from "../../faithful/compare.ts";
import { readingOfHtml, type ReadingTokenOptions, type ReadingToken } from "../../markdown/html/reading.ts";

export interface StoredContent extends CanonicalBody {
  /** The HTML view of `markdown`. */
  html: string;
}

/**
 * Converts HTML of an editor or API client into the body of an SOP, with notes on all losses.
 * @throws AppError `unprocessable` if the HTML or its Markdown can't be read
 */
export function bodyOfHtml({ content, title }: { content: string; title: string }): StoredContent {
  const converted = convertHtml(content);
  const { markdown, notes } = canonicalBody({ markdown: converted.markdown, title });
  assertParsable(markdown);
  const { html, tree } = renderWithTree(markdown, setStepIds);
  const isTitleDropped = notes.some(({ code }) => code === "first-heading");
  const changes = changesFromHtml(converted, tree(), isTitleDropped ? title : "", { linkedImages: () => true });
  const lost = createReport("");
  for (const loss of converted.losses) lost.add("html", loss);
  for (const loss of linkedImages(converted.page)) lost.add("image", loss);
  lost.lines.push(...notes);
  for (const { code, sentence, line } of notesOfChanges(changes)) lost.add(code, sentence, line);
  return { markdown, html, notes: lost.lines };
}

/**
 * Finds differences between the view of a text and its HTML source: all changes from the cleaned page; if there are
 * none, words of the original HTML that the cleaning lost.
 *
 * @param title the title that was removed from the beginning of the text, because views show it above
 */
export function changesFromHtml(
  { source, page, losses }: ReturnType<typeof convertHtml>,
  view: Root,
  title: string,
  options?: ReadingTokenOptions,
): ConversionChange[] {
  const above = title === "" ? [] : readingOfHtml({ type: "root", children: [{ type: "text", value: title }] });
  const shown = [...above, ...readingOfHtml(view, options)];
  const changes = differencesOfReadings(readingOfHtml(page, options), shown);
  if (changes.length > 0) return changes;
  const named = losses.flatMap(valueTexts);
  const isNamed = (word: string) => named.some((text) => text.includes(word));
  const isShown = new Set(shown.map((seen) => seen.slice(1)));
  // ignore a word of which a note names one part, such as the mark of a comment, and the view shows the other part
  const isPartlyNamed = (word: string) =>
    word.length < longestSplit &&
    Array.from(word, (_, at) => [word.slice(0, at), word.slice(at)] as const).some(
      ([one, other]) => (isShown.has(one) && isNamed(other)) || (isNamed(one) && isShown.has(other)),
    );
  const missing = missingWordsOf(source, shown).filter((word) => !isNamed(word) && !isPartlyNamed(word));
  return missing.length === 0 ? [] : [{ kind: "words", near: "", before: missing.slice(0, 20).join(" "), after: "" }];
}

/** The maximum length of a word that is split in two to find its parts in notes. */
const longestSplit = 100;

/** Matches numbers and bullets that word processors write as text before an item. */
const itemMark = /^(?:[\p{L}\p{N}]{1,5}[.)]|[^\p{L}\p{N}]+)$/u;

function missingWordsOf(source: readonly ReadingToken[], shown: readonly ReadingToken[]): string[] {
  const isWord = (seen: ReadingToken): boolean => /^[w~]/.test(seen);
  const counts = new Map<string, number>();
  for (const seen of shown) if (isWord(seen)) counts.set(seen.slice(1), (counts.get(seen.slice(1)) ?? 0) + 1);
  return source.filter(isWord).flatMap((seen) => {
    const word = seen.slice(1);
    const left = counts.get(word) ?? 0;
    counts.set(word, left - 1);
    return left > 0 || itemMark.test(word) ? [] : [word];
  });
}

/** Returns the texts in a sentence's values, which are quoted from the document. */
function valueTexts({ values }: MessageWithId): string[] {
  return Object.values(values).flatMap((value) => (isSentence(value) ? valueTexts(value) : String(value)));
}
