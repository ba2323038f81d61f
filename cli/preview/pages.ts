/** Renders the pages of the preview: the list, and each document as readers will see it. */
import { dirname, join } from "node:path";
import { AppError } from "#core/errors.ts";
import { createReport } from "#core/import/markdown/report.ts";
import { rewriteLinks, type ResolvedLink } from "#core/import/rewrite-links.ts";
import { createPathIndex, possibleFilesOfLink, splitAddress } from "#core/links/link-targets.ts";
import { lintText } from "#core/lint/engine.ts";
import type { Finding } from "#core/lint/finding.ts";
import { splitFrontMatter, type FrontMatter } from "#core/markdown/front-matter.ts";
import { renderSop } from "#core/steps/steps-of.ts";
import { effectiveTextOfFile } from "#core/export/effective-text.ts";
import { frontMatterOrNull, readDocuments, type LocalDocument } from "../workspace/documents.ts";
import { escapeHtml, htmlPage } from "../workspace/page.ts";
import { pathWithin } from "../workspace.ts";
import type { ServedImages } from "./served-images.ts";

export type LintOptionsOf = (file: string) => Promise<Omit<Parameters<typeof lintText>[1], "path">>;

export interface PreviewedWorkspace {
  root: string;
  name: string;
  images: ServedImages;
  optionsOf: LintOptionsOf;
}

const previewAddressOf = (path: string) => `/doc/${path.split("/").map(encodeURIComponent).join("/")}`;

export async function renderListPage(preview: PreviewedWorkspace): Promise<string> {
  const { documents, unreadable } = await readDocuments(preview.root);
  const folders = Map.groupBy(documents, ({ path }) => path.slice(0, path.lastIndexOf("/")));
  const lists = [...folders].map(
    ([folder, rows]) =>
      `<h2 class="folder">${escapeHtml(folder)}</h2>\n<ul class="list">\n${rows.map(listRow).join("")}</ul>\n`,
  );
  const broken = unreadable.map(({ message }) => `<p class="badge">${escapeHtml(message)}</p>\n`).join("");
  const empty = `<p class="empty">Nothing here yet: <code>sop new "Your first procedure"</code>, or <code>sop pull</code>.</p>\n`;
  const count = `${documents.length} ${documents.length === 1 ? "document" : "documents"}`;
  const header = `<header><h1>${escapeHtml(preview.name)}</h1><p class="meta">${count}</p></header>\n`;
  return previewPage(preview, preview.name, header + broken + (lists.join("") || empty));
}

function listRow({ path, text, title }: LocalDocument): string {
  const front = frontMatterOrNull(text);
  const number = front?.sop === undefined ? "" : `<span class="number">${escapeHtml(front.sop)}</span>`;
  const version =
    front?.version === undefined ? `<span class="badge">new</span>` : `<span class="number">v${front.version}</span>`;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return `<li><a href="${escapeHtml(previewAddressOf(path))}">${number}<span class="title">${escapeHtml(title)}</span>${version}<span class="path">${escapeHtml(name)}</span></a></li>\n`;
}

/** Returns null if the document isn't in the list. The preview shows no other files. */
export async function renderDocumentPage(preview: PreviewedWorkspace, path: string): Promise<string | null> {
  const { documents } = await readDocuments(preview.root);
  const document = documents.find((one) => one.path === path);
  if (document === undefined) return null;
  const options = await preview.optionsOf(document.file);
  const findings = lintText(document.text, { ...options, path });
  const header = `<header><h1>${escapeHtml(document.title)}</h1><p class="meta">${metadataLine(frontMatterOrNull(document.text), path)}</p></header>\n`;
  const article = `<article class="document">\n${await renderPreviewBody(preview, document, documents)}</article>\n`;
  const body = `${header}<div class="columns">\n${article}${findingsPart(findings)}</div>\n`;
  return previewPage(preview, document.title, body);
}

function metadataLine(front: FrontMatter | null, path: string): string {
  const { sop, version, owner, effective, review_by: reviewBy } = front ?? {};
  const parts = [
    sop,
    version === undefined ? "not on the server yet" : `based on version ${version}`,
    owner === undefined ? undefined : `owner ${owner}`,
    effective === undefined ? undefined : `effective ${effectiveTextOfFile(effective)}`,
    reviewBy === undefined ? undefined : `review by ${reviewBy}`,
    path,
  ];
  return parts
    .filter((part) => part !== undefined)
    .map(escapeHtml)
    .join(" · ");
}

async function renderPreviewBody(
  preview: PreviewedWorkspace,
  document: LocalDocument,
  all: readonly LocalDocument[],
): Promise<string> {
  try {
    const { body } = splitFrontMatter(document.text);
    return `${renderSop(await withPreviewLinks(preview, document, body, all))}\n`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `<p class="badge">${escapeHtml(error.message)}</p>\n`;
  }
}

/**
 * Rewrites the links of a document: images get addresses by their hash, as on the server, and links to other documents
 * lead to their preview pages.
 */
async function withPreviewLinks(
  { root, images }: PreviewedWorkspace,
  { file, path: from }: LocalDocument,
  body: string,
  all: readonly LocalDocument[],
): Promise<string> {
  const addressByUrl = new Map<string, string | null>();
  const index = createPathIndex(all.map(({ path }) => path));
  const linkedPath = (url: string) => join(dirname(file), splitAddress(url).path);
  // Links can be rewritten only synchronously, so a first pass collects their targets and a second pass rewrites them.
  const collect = { resolve: (url: string) => void addressByUrl.set(url, null), named: () => undefined };
  rewriteLinks(body, collect, createReport(""));
  for (const url of addressByUrl.keys()) {
    const path =
      index.firstExisting(possibleFilesOfLink(from, splitAddress(url).path)) ?? pathWithin(root, linkedPath(url));
    // Pulled documents link SOPs by the server's address.
    const id = /^\/sop\/([0-9a-f-]{36})(?=[?#]|$)/i.exec(url)?.[1]?.toLowerCase();
    const document = all.find((one) => (id === undefined ? one.path === path : one.id === id));
    const own =
      document === undefined
        ? await images.addressOf(linkedPath(url))
        : previewAddressOf(document.path) + splitAddress(url).fragment;
    addressByUrl.set(url, own);
  }
  const resolveLink = (url: string): ResolvedLink => {
    const own = addressByUrl.get(url) ?? null;
    return own === null ? undefined : { kind: "asset", url: own };
  };
  return rewriteLinks(body, { resolve: resolveLink, named: () => undefined }, createReport("")).text;
}

function findingsPart(findings: readonly Finding[]): string {
  const count =
    findings.length === 0 ? "No issues" : `${findings.length} ${findings.length === 1 ? "issue" : "issues"}`;
  const rows = findings.map(
    ({ severity, line, message, rule }) =>
      `<li class="${severity}"><span class="severity">${severity}</span> line ${line}: ${escapeHtml(message)}<code>${escapeHtml(rule)}</code></li>\n`,
  );
  const list =
    rows.length === 0 ? "<p>This document meets every rule of its preset.</p>\n" : `<ul>\n${rows.join("")}</ul>\n`;
  return `<aside class="findings" aria-label="Issues"><h2>${count}</h2>\n${list}</aside>\n`;
}

export function notFoundPage(preview: PreviewedWorkspace): string {
  return previewPage(
    preview,
    "Not found",
    `<header><h1>Not found</h1></header>\n<p><a href="/">All documents</a></p>\n`,
  );
}

function previewPage({ name }: PreviewedWorkspace, title: string, main: string): string {
  const bar = `<nav class="bar"><a href="/">All documents</a><strong>${escapeHtml(name)}</strong><span class="live" role="status">live</span></nav>\n`;
  const head = `<link rel="stylesheet" href="/static/document.css">\n<link rel="stylesheet" href="/static/preview.css">\n<script src="/static/preview.js" defer></script>\n`;
  return htmlPage({ title, head, body: `${bar}<main>\n${main}</main>\n` });
}
