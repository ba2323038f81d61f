/** Exports a folder of pages that people read and search without a server. */
import { catalog } from "../language/catalog.ts";
import { languageCode } from "../language/spoken.ts";
import type { HeadingLookup } from "../links/heading-names.ts";
import {
  detectAddressBase,
  foldedKey,
  createPathIndex,
  isAddressOfSourceFile,
  possibleFilesOfLink,
  splitAddress,
} from "../links/link-targets.ts";
import { sopKeyOf } from "../markdown/sop-links.ts";
import type { ExportDocument } from "./document.ts";
import { exportTexts, versionMarks } from "./document.ts";
import { isDocumentRightToLeft, lineWithMeasureOrder } from "./direction.ts";
import { escapeHtml, escapeLine } from "#core/text/escape-html.ts";
import { articleHtmlOf, footerStyleOf, htmlPageOf, type StyleHash } from "./html/page.ts";
import { exportedHtmlOf, type PageParts } from "./html/place-images.ts";

const texts = catalog("core.export.site", {
  version: "version {version}",
  uncategorized: "Uncategorized",
  pages: "Pages",
  documentCount: "{count, plural, one {# document} other {# documents}}",
  pageCount: "{count, plural, one {# page} other {# pages}}",
  search: "Search",
  searchDocuments: "Search the documents",
  searchPages: "Search the pages",
  procedures: "Standard operating procedures",
});

export interface SitePage {
  document: ExportDocument;
  /** The page's file name without extension. */
  name: string;
}

/** Paths of the files that all pages of a site share. */
export const siteFiles = {
  style: "site/style.css",
  script: "site/search.js",
  library: "site/minisearch.js",
  index: "site/index.js",
  icon: "site/icon.svg",
} as const;

export const siteIcon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f54a8"/><path d="M9 17l5 5 9-11" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>\n';

/**
 * Returns the security policy of a page. It allows `file:`, because `'self'` matches nothing in a page opened from a
 * disk.
 */
const contentSecurityPolicy = (styles: string) =>
  `default-src 'none'; script-src 'self' file:; style-src 'self' file:${styles}; img-src 'self' file:; form-action 'self' file:; base-uri 'none'`;

export function sitePageHtml({ document }: SitePage, parts: PageParts, home: string, hash: StyleHash): string {
  const back = `<a class="back" href="../index.html">${escapeHtml(home)}</a>`;
  return htmlPageOf({
    document,
    rtl: isDocumentRightToLeft(document),
    head: pageHeadOf("../", [], [footerStyleOf(document)], hash),
    body: articleHtmlOf(document, parts, back),
  });
}

/**
 * Returns the mark of an unpublished version; empty for a published version and for local files. Pages of a manual show
 * no other status.
 */
function unpublishedMark({ state, workingCopy }: ExportDocument): string {
  if (versionMarks[state] === null || workingCopy) return "";
  return `<p class="meta"><span class="status marked">${exportTexts.states[state]}</span></p>\n`;
}

/**
 * Returns the facts below a document in a list or a search result. In a manual, only the mark of an unpublished version
 * is shown.
 */
export function searchResultFacts(document: ExportDocument, control: boolean) {
  const { number, version, state, workingCopy } = document;
  const mark = versionMarks[state];
  const versionText = version === null ? "" : texts.version({ version: `${version}` });
  const facts = control ? [number, versionText].filter(Boolean).join(" · ") : "";
  const status = control || (mark !== null && !workingCopy) ? exportTexts.states[state] : "";
  return { facts, status, marked: mark !== null };
}

/** Returns the HTML of a manual's page, without number and signatures, because a manual is no SOP. */
export function manualPageHtml({ document }: SitePage, parts: PageParts, home: string): string {
  const rtl = isDocumentRightToLeft(document);
  const { lang, title, description } = document;
  const body = `<header class="bar"><a class="back" href="../index.html">${escapeHtml(home)}</a></header>
<main>
<h1 class="title">${escapeLine(lineWithMeasureOrder(title))}</h1>
${unpublishedMark(document)}<article>
${exportedHtmlOf(parts, rtl)}
</article>
</main>`;
  const head = pageHeadOf("../", [], [], () => "");
  return htmlPageOf({ document: { lang, number: "", title, description }, rtl, head, body });
}

/**
 * Returns the HTML of the home page, with all documents by category and the search.
 * @param control true to show numbers and status; false for a manual
 */
export function siteHomeHtml(title: string, pages: readonly SitePage[], control = true): string {
  const rest = control ? texts.uncategorized : texts.pages;
  const groups = Map.groupBy(pages, ({ document }) => document.category ?? rest);
  const isLast = (name: string) => control || name !== rest;
  const names = [...groups.keys()].sort((a, b) => Number(isLast(a)) - Number(isLast(b)) || a.localeCompare(b, "en"));
  const places = new Map(names.map((name, index) => [name, `category-${index + 1}`]));
  const count = (control ? texts.documentCount : texts.pageCount)({ count: pages.length });
  const label = control ? texts.searchDocuments : texts.searchPages;
  const body = `<header class="bar"><strong>${escapeHtml(title)}</strong><span class="end"><bdi>${count}</bdi></span></header>
<main>
<h1 class="title">${escapeHtml(title)}</h1>
<form class="search" role="search" action="index.html"><input type="search" name="q" aria-label="${escapeHtml(label)}" placeholder="${escapeHtml(texts.search)}" autocomplete="off"><button>${escapeHtml(texts.search)}</button></form>
<p><bdi id="search-status" role="status"></bdi></p>
<ul class="list" id="results" hidden></ul>
<div id="all">
<ul class="categories">${names.map((name) => categoryLink(name, places.get(name), groups.get(name)?.length ?? 0)).join("")}</ul>
${names.map((name) => siteSectionHtml(name, places.get(name), groups.get(name) ?? [], control)).join("\n")}
</div>
</main>`;
  const document = {
    lang: languageCode(),
    number: "",
    title,
    description: `${control ? texts.procedures : title}: ${count}`,
  };
  const rtl = pages.filter((page) => isDocumentRightToLeft(page.document)).length * 2 > pages.length;
  return htmlPageOf({ document, rtl, head: pageHeadOf("", [siteFiles.script], [], () => ""), body });
}

function pageHeadOf(up: string, scripts: readonly string[], styles: readonly string[], hash: StyleHash): string {
  const named = styles.map((style) => ` 'sha256-${hash(style)}'`).join("");
  const lines = [
    `<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(named)}">`,
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

function siteSectionHtml(
  name: string,
  place: string | undefined,
  pages: readonly SitePage[],
  control: boolean,
): string {
  const sorted = [...pages].sort((a, b) => a.document.number.localeCompare(b.document.number, "en", { numeric: true }));
  return `<section><h2 id="${place}">${escapeHtml(name)}</h2>\n<ul class="list">\n${sorted.map((page) => siteListRow(page, control)).join("\n")}\n</ul></section>`;
}

function siteListRow({ document, name }: SitePage, control: boolean): string {
  const { title, description } = document;
  const orderedHtml = (text: string) => escapeLine(lineWithMeasureOrder(text));
  const { facts, status, marked } = searchResultFacts(document, control);
  const meta = [escapeHtml(facts), marked ? `<span class="status marked">${status}</span>` : status].join(" · ");
  return `<li><a href="sops/${escapeHtml(name)}.html"><bdi>${orderedHtml(title)}</bdi></a><p><bdi>${orderedHtml(description)}</bdi></p>${control ? `<p class="meta"><bdi>${meta}</bdi></p>` : unpublishedMark(document)}</li>`;
}

export interface LinkTarget {
  id: string | null;
  number: string;
  /** The page's file name without extension. */
  name: string;
  /** The path of the document's file, without extension. */
  path: string;
  /** The names of the page's headings in another tool, if its links are written for that tool. */
  headings?: HeadingLookup;
  /** The relative addresses in the page's text. */
  mentions?: Iterable<string>;
}

/**
 * The links of one page of the export. `link` returns the address of the page to which a link leads; undefined for no
 * such page.
 */
export interface PageLinks {
  link(href: string): string | undefined;
  /** Addresses, as written in the text, that lead to no page of the export or to no heading. */
  lost: ReadonlySet<string>;
}

/**
 * Creates a function that resolves the links of a page to pages of the export: by the path of the linked file, or by
 * its name if only one file has this name.
 * @param addressOf the address of a page in links from other pages
 */
export function createLinkResolver<Target extends LinkTarget>(
  pages: readonly Target[],
  addressOf: (target: Target, from: Target) => string = ({ name }) => `${encodeURIComponent(name)}.html`,
): (from: Target) => PageLinks {
  const byKey = new Map(
    pages.flatMap((page) =>
      [page.id, sopKeyOf(page.number)].flatMap((key): [string, Target][] => (key === null ? [] : [[key, page]])),
    ),
  );
  const fileOf = ({ path }: LinkTarget) => `${path}.md`;
  const byPath = new Map(pages.map((page) => [fileOf(page), page]));
  const byName = Map.groupBy(pages, ({ path }) => foldedKey(lastPart(path)));
  const index = createPathIndex(byPath.keys());
  const written = pages.map((page) => ({ path: fileOf(page), addresses: page.mentions ?? [] }));
  const counting = detectAddressBase(written, index);

  function pageOf(url: string, from: Target): Target | undefined {
    const { path } = splitAddress(url);
    const sop = /\/sop\/([^/]+)$/.exec(path)?.[1];
    if (sop !== undefined) return byKey.get(sopKeyOf(sop) ?? "");
    if (!isAddressOfSourceFile(url) || path === "") return undefined;
    const found = index.firstExisting(possibleFilesOfLink(fileOf(from), path.replace(/\.markdown$/i, ".md"), counting));
    if (found !== undefined) return byPath.get(found);
    const [file] = /^.+(?=\.(?:md|markdown|html)$)/i.exec(path) ?? [];
    const named = file === undefined ? [] : (byName.get(foldedKey(lastPart(file))) ?? []);
    return named.length === 1 ? named[0] : undefined;
  }

  return (from) => {
    const lost = new Set<string>();
    const linkInSite = (href: string): string | undefined => {
      const { fragment } = splitAddress(href);
      const isHere = href.startsWith("#");
      if (isHere && from.headings === undefined) return undefined;
      const page = isHere ? from : pageOf(href, from);
      if (page === undefined) {
        if (isAddressOfSourceFile(href) || /^\/(?:sop|api\/assets)\//.test(href)) lost.add(href);
        return undefined;
      }
      const name = fragment.slice(1).replace(/^user-content-/, "");
      const known = name === "" || page.headings === undefined ? name : page.headings.find(name);
      const isOurs = /^(?:top|footnote-label|fn(?:ref)?-.*|step\..*)$/.test(name);
      if (known === undefined && !isOurs) lost.add(href);
      if (isHere) return known === undefined || isOurs ? undefined : `#user-content-${known}`;
      return addressOf(page, from) + (name === "" ? "" : `#user-content-${known ?? name}`);
    };
    return { link: linkInSite, lost };
  };
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
