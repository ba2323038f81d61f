/** Writes a document as one HTML page without scripts and without anything from other servers. */
import { controlBlockRows, documentVersionText, exportTexts, versionMarks, type ExportDocument } from "../document.ts";
import { isDocumentRightToLeft, lineWithMeasureOrder } from "../direction.ts";
import { escapeHtml, escapeLine } from "#core/text/escape-html.ts";
import { exportedHtmlOf, type PageParts } from "./place-images.ts";
import { printedFooterStyle, pageStyle } from "./style.ts";

/** Computes the SHA-256 of a style in base64. The page's security policy allows only styles with these hashes. */
export type StyleHash = (style: string) => string;

/** Writes the document as one HTML file that needs no other file. */
export function documentAsHtmlFile(document: ExportDocument, parts: PageParts, hash: StyleHash): string {
  const style = pageStyle + footerStyleOf(document);
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash(style)}'; base-uri 'none'; form-action 'none'`;
  return htmlPageOf({
    document,
    rtl: isDocumentRightToLeft(document),
    head: `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<style>${style}</style>`,
    body: articleHtmlOf(document, parts),
  });
}

/** Returns the style that prints the document's identity on each page. */
export function footerStyleOf(document: ExportDocument): string {
  const { number, state } = document;
  return printedFooterStyle(
    [number, documentVersionText(document), exportTexts.states[state], exportTexts.uncontrolled].join(" · "),
  );
}

export interface HtmlPageParts {
  document: Pick<ExportDocument, "lang" | "title" | "description" | "number">;
  /** True for a page that is read from right to left. */
  rtl: boolean;
  head: string;
  body: string;
}

export function htmlPageOf({ document, rtl, head, body }: HtmlPageParts): string {
  const { lang, title, number, description } = document;
  return `<!doctype html>
<html lang="${escapeHtml(lang ?? "en")}"${rtl ? ' dir="rtl"' : ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${escapeLine(lineWithMeasureOrder(description))}">
<title>${number === "" ? "" : `${escapeHtml(number)} `}${escapeLine(lineWithMeasureOrder(title))}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

/** Returns the HTML of the page's article: title, facts and text. @param back a link to the home page of a site */
export function articleHtmlOf(document: ExportDocument, parts: PageParts, back = ""): string {
  const mark = versionMarks[document.state];
  const { number, company, title, description } = document;
  const rtl = isDocumentRightToLeft(document);
  // isolate Latin words in a right-to-left page, so that their order stays
  const isolatedHtml = (text: string) =>
    rtl ? `<bdi>${escapeLine(lineWithMeasureOrder(text))}</bdi>` : escapeLine(lineWithMeasureOrder(text));
  // mark the language of the text as unknown, because the page's language is that of the words around the text
  const unknown = document.lang === null ? ' lang=""' : "";
  const status = `<span class="status${mark === null ? "" : " marked"}">${exportTexts.states[document.state]}</span>`;
  return `<header class="bar">${back}<strong>${isolatedHtml(number)}</strong><span class="end">${isolatedHtml(documentVersionText(document))}</span>${status}</header>
<main>
<p class="number">${isolatedHtml(number)}</p>
<h1 class="title"${unknown}>${escapeLine(lineWithMeasureOrder(title))}</h1>
${description === "" ? "" : `<p class="description">${isolatedHtml(description)}</p>\n`}<dl class="control">
${controlBlockRows(document)
  .map((fact) => documentFactHtml(fact, fact[1] === document.contentHash, isolatedHtml))
  .join("\n")}
</dl>
<article${unknown}>
${exportedHtmlOf(parts, rtl)}
</article>
</main>
<footer>${isolatedHtml(exportTexts.uncontrolled)}${company === null ? "" : ` · ${isolatedHtml(company)}`}</footer>`;
}

function documentFactHtml([name, value]: [string, string], isHash: boolean, alone: (text: string) => string): string {
  const wide = value.length > 44 || value.includes("\n");
  const kind = isHash ? "wide hash" : wide ? "wide" : "";
  return `<div${kind && ` class="${kind}"`}><dt>${escapeHtml(name)}</dt><dd>${alone(value)}</dd></div>`;
}
