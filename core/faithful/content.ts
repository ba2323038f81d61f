/** The check under conversions of HTML: what a browser shows of the source beside what it shows of the stored text. */
import type { Root } from "hast";
import { canonicalBody, type CanonicalBody } from "#core/import/markdown/canonical-body.ts";
import type { ReportLine } from "#core/import/markdown/report.ts";
import { convertHtml } from "#core/markdown/from-html.ts";
import { elementsOf, property } from "#core/markdown/html/elements.ts";
import { createLosses } from "#core/markdown/html/losses.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { assetUrl } from "#core/markdown/links.ts";
import { rendered } from "#core/markdown/render.ts";
import { changeNotes, compareReadings, type Change } from "./compare.ts";
import { readHtml, type ReadingOptions } from "./reading.ts";

export interface StoredContent extends CanonicalBody {
  /** The view of `markdown`. */
  html: string;
}

/**
 * HTML of an editor or API client as the body of an SOP, with notes on all that it loses.
 * @throws AppError `unprocessable` where the HTML or its Markdown can't be read
 */
export function bodyOfContent({ content, title }: { content: string; title: string }): StoredContent {
  const { markdown: written, losses, page } = convertHtml(content);
  const { markdown, notes } = canonicalBody({ markdown: written, title });
  assertParsable(markdown);
  const { html, tree } = rendered(markdown);
  const isTitleDropped = notes.some(({ code }) => code === "first-heading");
  const changes = changesFrom(page, tree(), isTitleDropped ? title : "");
  const lost = [...htmlNotes(losses), ...linkedImages(page), ...notes, ...changeNotes(changes).map(asNote)];
  return { markdown, html, notes: lost };
}

/** Images of other servers and files, which views show as links. */
function linkedImages(page: Root): ReportLine[] {
  const losses = createLosses();
  for (const image of elementsOf(page, "img")) {
    const address = property(image, "src");
    if (!assetUrl.test(address)) losses.add("an image that isn't stored here is shown as a link", address);
  }
  return losses.lines().map((message) => ({ path: "", code: "image", message }));
}

/**
 * Where the view of a text says something else than its HTML source.
 * @param title dropped from the beginning of the text: views show it above
 */
export function changesFrom(source: Root, view: Root, title: string, options?: ReadingOptions): Change[] {
  const shown = readHtml(view, options);
  const above = title === "" ? [] : readHtml({ type: "root", children: [{ type: "text", value: title }] });
  return compareReadings(readHtml(source, { ...options, linkedImages: true }), [...above, ...shown]);
}

function htmlNotes(losses: readonly string[]): ReportLine[] {
  return losses.map((message) => ({ path: "", code: "html", message }));
}

function asNote(note: ReturnType<typeof changeNotes>[number]): ReportLine {
  return { path: "", ...note };
}
