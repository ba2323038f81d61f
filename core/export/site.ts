/** A folder of pages that is read and searched without a server. */
import { sopKeyOf } from "../markdown/sop-links.ts";
import type { ExportDocument } from "./document.ts";
import { versionStates } from "./document.ts";
import { isDocumentRightToLeft } from "./direction.ts";
import { escapeHtml } from "./html/escape.ts";
import { articleOf, footerStyleOf, htmlDocument, type StyleHash } from "./html/page.ts";
import { placeImages, type PageParts } from "./html/place-images.ts";

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

/** A page of a manual: without number, status and signatures, because it is no SOP. */
export function manualPage({ document }: SitePage, parts: PageParts, home: string): string {
  const rtl = isDocumentRightToLeft(document);
  const { lang, title, description } = document;
  const body = `<header class="bar"><a class="back" href="../index.html">${escapeHtml(home)}</a></header>
<main>
<h1 class="title">${escapeHtml(title)}</h1>
<article>
${placeImages(parts, rtl)}
</article>
</main>`;
  const head = headOf("../", [], [], () => "");
  return htmlDocument({ document: { lang, number: "", title, description }, rtl, head, body });
}

/**
 * All documents by category, and the search.
 * @param control with numbers and status; without them it is the home of a manual
 */
export function siteHome(title: string, pages: readonly SitePage[], control = true): string {
  const rest = control ? "Uncategorized" : "Pages";
  const groups = Map.groupBy(pages, ({ document }) => document.category ?? rest);
  const isLast = (name: string) => control || name !== rest;
  const names = [...groups.keys()].sort((a, b) => Number(isLast(a)) - Number(isLast(b)) || a.localeCompare(b, "en"));
  const places = new Map(names.map((name, index) => [name, `category-${index + 1}`]));
  const noun = control ? "document" : "page";
  const count = `${pages.length} ${noun}${pages.length === 1 ? "" : "s"}`;
  const body = `<header class="bar"><strong>${escapeHtml(title)}</strong><span class="end"><bdi>${count}</bdi></span></header>
<main>
<h1 class="title">${escapeHtml(title)}</h1>
<form class="search" role="search" action="index.html"><input type="search" name="q" aria-label="Search the ${noun}s" placeholder="Search" autocomplete="off"><button>Search</button></form>
<p><bdi id="search-status" role="status"></bdi></p>
<ul class="list" id="results" hidden></ul>
<div id="all">
<ul class="categories">${names.map((name) => categoryLink(name, places.get(name), groups.get(name)?.length ?? 0)).join("")}</ul>
${names.map((name) => section(name, places.get(name), groups.get(name) ?? [], control)).join("\n")}
</div>
</main>`;
  const document = {
    lang: "en",
    number: "",
    title,
    description: `${control ? "Standard operating procedures" : title}: ${count}`,
  };
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

function section(name: string, place: string | undefined, pages: readonly SitePage[], control: boolean): string {
  const sorted = [...pages].sort((a, b) => a.document.number.localeCompare(b.document.number, "en", { numeric: true }));
  return `<section><h2 id="${place}">${escapeHtml(name)}</h2>\n<ul class="list">\n${sorted.map((page) => row(page, control)).join("\n")}\n</ul></section>`;
}

function row({ document, name }: SitePage, control: boolean): string {
  const { number, title, description, version, state } = document;
  const { label, mark } = versionStates[state];
  const status = mark === null ? label : `<span class="status marked">${label}</span>`;
  const meta = [escapeHtml(number), version === null ? "" : `version ${version}`, status].filter(Boolean).join(" · ");
  return `<li><a href="sops/${escapeHtml(name)}.html"><bdi>${escapeHtml(title)}</bdi></a><p><bdi>${escapeHtml(description)}</bdi></p>${control ? `<p class="meta"><bdi>${meta}</bdi></p>` : ""}</li>`;
}

export interface LinkTarget {
  id: string | null;
  number: string;
  /** File name of its page without ending. */
  name: string;
  /** Of the document's file, without ending. */
  path: string;
}

/**
 * Turns a document's links into links to the site's pages: by the file that a link names, and where there is none, by its name
 * alone. Headings have ids that no text can choose (`renderHtml`).
 */
export function linksWithin(pages: readonly LinkTarget[]): (href: string, from: string) => string | undefined {
  const byKey = new Map(
    pages.flatMap(({ id, number, name }) =>
      [id, sopKeyOf(number)].flatMap((key) => (key === null ? [] : [[key, name]])),
    ),
  );
  const byPath = new Map(pages.map(({ path, name }) => [path, name]));
  const byName = new Map(pages.map(({ path, name }) => [lastPart(path), name]));
  return (href, from) => {
    const [, path = "", anchor = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/.exec(href) ?? [];
    const [, sop] = /\/sop\/([^/]+)$/.exec(path) ?? [];
    const [, file] = /^(.+)\.(?:md|markdown|html)$/i.exec(path) ?? [];
    const isElsewhere = /^[a-z][a-z0-9+.-]*:/i.test(path);
    const ofFile = () =>
      isElsewhere || file === undefined ? undefined : (byPath.get(placeOf(file, from)) ?? byName.get(lastPart(file)));
    const name = sop === undefined ? ofFile() : byKey.get(sopKeyOf(sop) ?? "");
    return name === undefined ? undefined : `${name}.html${anchor.replace(/^#(?!user-content-)/, "#user-content-")}`;
  };
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** `../it/a`, seen from `hr/b` → `it/a`. */
function placeOf(path: string, from: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
