/** A folder of pages that is read and searched without a server. */
import { sopKeyOf } from "../markdown/sop-links.ts";
import type { ExportDocument } from "./document.ts";
import { versionStates } from "./document.ts";
import { isDocumentRightToLeft } from "./direction.ts";
import { escapeHtml } from "./html/escape.ts";
import { articleOf, footerStyleOf, htmlDocument, type StyleHash } from "./html/page.ts";
import type { PageParts } from "./html/place-images.ts";

export interface SitePage {
  document: ExportDocument;
  /** File name without ending. */
  name: string;
}

/** The files that the pages need; all are in the site. */
export const siteFiles = {
  style: "site/style.css",
  script: "site/search.js",
  library: "site/minisearch.js",
  index: "site/index.js",
  icon: "site/icon.svg",
} as const;

export const siteIcon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f54a8"/><path d="M9 17l5 5 9-11" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>\n';

/** `file:` beside `'self'`: a page opened from a disk has no origin that would be its own. */
const policy = (styles: string) =>
  `default-src 'none'; script-src 'self' file:; style-src 'self' file:${styles}; img-src 'self' file:; form-action 'self' file:; base-uri 'none'`;

export function sitePage({ document }: SitePage, parts: PageParts, home: string, hash: StyleHash): string {
  const back = `<a class="back" href="../index.html">${escapeHtml(home)}</a>`;
  return htmlDocument({
    document,
    rtl: isDocumentRightToLeft(document),
    head: headOf("../", [], [footerStyleOf(document)], hash),
    body: articleOf(document, parts, back),
  });
}

/** All documents by category, and the search. */
export function siteHome(title: string, pages: readonly SitePage[]): string {
  const groups = Map.groupBy(pages, ({ document }) => document.category ?? "Uncategorized");
  const names = [...groups.keys()].sort((a, b) => a.localeCompare(b, "en"));
  const places = new Map(names.map((name, index) => [name, `category-${index + 1}`]));
  const count = `${pages.length} document${pages.length === 1 ? "" : "s"}`;
  const body = `<header class="bar"><strong>${escapeHtml(title)}</strong><span class="end"><bdi>${count}</bdi></span></header>
<main>
<h1 class="title">${escapeHtml(title)}</h1>
<form class="search" role="search" action="index.html"><input type="search" name="q" aria-label="Search the documents" placeholder="Search" autocomplete="off"><button>Search</button></form>
<p><bdi id="search-status" role="status"></bdi></p>
<ul class="list" id="results" hidden></ul>
<div id="all">
<ul class="categories">${names.map((name) => categoryLink(name, places.get(name), groups.get(name)?.length ?? 0)).join("")}</ul>
${names.map((name) => section(name, places.get(name), groups.get(name) ?? [])).join("\n")}
</div>
</main>`;
  const document = { lang: "en", number: "", title, description: `Standard operating procedures: ${count}` };
  const rtl = pages.filter((page) => isDocumentRightToLeft(page.document)).length * 2 > pages.length;
  return htmlDocument({ document, rtl, head: headOf("", [siteFiles.script], [], () => ""), body });
}

function headOf(up: string, scripts: readonly string[], styles: readonly string[], hash: StyleHash): string {
  const named = styles.map((style) => ` 'sha256-${hash(style)}'`).join("");
  const lines = [
    `<meta http-equiv="Content-Security-Policy" content="${policy(named)}">`,
    `<link rel="icon" href="${up}${siteFiles.icon}">`,
    `<link rel="stylesheet" href="${up}${siteFiles.style}">`,
    ...styles.map((style) => `<style>${style}</style>`),
    ...scripts.map((script) => `<script src="${up}${script}" defer></script>`),
  ];
  return lines.join("\n");
}

function categoryLink(name: string, place: string | undefined, count: number): string {
  return `<li><a href="#${place}">${escapeHtml(name)}</a> (${count})</li>`;
}

function section(name: string, place: string | undefined, pages: readonly SitePage[]): string {
  const sorted = [...pages].sort((a, b) => a.document.number.localeCompare(b.document.number, "en", { numeric: true }));
  return `<section><h2 id="${place}">${escapeHtml(name)}</h2>\n<ul class="list">\n${sorted.map(row).join("\n")}\n</ul></section>`;
}

function row({ document, name }: SitePage): string {
  const { number, title, description, version, state } = document;
  const { label, mark } = versionStates[state];
  const status = mark === null ? label : `<span class="status marked">${label}</span>`;
  const meta = [escapeHtml(number), version === null ? "" : `version ${version}`, status].filter(Boolean).join(" · ");
  return `<li><a href="sops/${escapeHtml(name)}.html"><bdi>${escapeHtml(title)}</bdi></a><p><bdi>${escapeHtml(description)}</bdi></p><p class="meta"><bdi>${meta}</bdi></p></li>`;
}

/** Turns a document's links into links to the site's pages. */
export function linksWithin(
  pages: readonly { id: string | null; number: string; name: string }[],
): (href: string) => string | undefined {
  const byKey = new Map(
    pages.flatMap(({ id, number, name }) =>
      [id, sopKeyOf(number)].flatMap((key) => (key === null ? [] : [[key, name]])),
    ),
  );
  const names = new Set(pages.map(({ name }) => name));
  return (href) => {
    const [, path = "", anchor = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/.exec(href) ?? [];
    const [, sop] = /\/sop\/([^/]+)$/.exec(path) ?? [];
    const [, file] = /(?:^|\/)([^/]+)\.(?:md|markdown|html)$/i.exec(path) ?? [];
    const isElsewhere = /^[a-z][a-z0-9+.-]*:/i.test(path);
    const name = sop === undefined ? (isElsewhere ? undefined : file) : byKey.get(sopKeyOf(sop) ?? "");
    return name !== undefined && names.has(name) ? `${name}.html${anchor}` : undefined;
  };
}
