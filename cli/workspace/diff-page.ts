/** Renders a comparison as a single HTML file. */
import { diffHtml } from "#core/diff/html.ts";
import type { DiffBlock } from "#core/diff/schema.ts";
import { renderHtml } from "#core/markdown/render.ts";
import type { ComparedDocument } from "./compared.ts";
import { escapeHtml, htmlPage } from "./page.ts";
import { readDocumentStyle } from "./bundled-files.ts";

export async function renderDiffPage({ name, from, to, facts, before, after }: ComparedDocument): Promise<string> {
  const css = await readDocumentStyle();
  const blocks = diffHtml(renderHtml(before), renderHtml(after));
  const rows = facts.map(
    ({ field, from: was, to: now }) =>
      `<tr><th scope="row">${escapeHtml(field)}</th><td>${changedTextHtml("del", was)}</td><td>${changedTextHtml("ins", now)}</td></tr>\n`,
  );
  const table =
    rows.length === 0
      ? ""
      : `<table class="facts"><thead><tr><th>Detail</th><th>${escapeHtml(from)}</th><th>${escapeHtml(to)}</th></tr></thead><tbody>\n${rows.join("")}</tbody></table>\n`;
  const changed = blocks.some(({ kind }) => kind !== "same") || facts.length > 0;
  const text = changed ? blocks.map(diffBlockHtml).join("") : "<p>No differences.</p>\n";
  const heading = `<header><h1>${escapeHtml(name)}</h1><p class="meta">${escapeHtml(from)} → ${escapeHtml(to)}</p></header>\n`;
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">\n`;
  return htmlPage({
    title: `${name}: ${from} → ${to}`,
    head: `${policy}<style>\n${css}</style>\n`,
    body: `<main>\n${heading}${table}<article class="document diff">\n${text}</article>\n</main>\n`,
  });
}

function changedTextHtml(tag: "del" | "ins", value: string | null): string {
  return value === null ? "" : `<${tag}>${escapeHtml(value)}</${tag}>`;
}

const labels = { added: "added", removed: "removed", changed: "changed", moved: "moved", same: "" } as const;

function diffBlockHtml({ kind, html }: DiffBlock): string {
  if (kind === "same") return `${html}\n`;
  return `<div class="change ${kind}" title="${labels[kind]}">${html}</div>\n`;
}
