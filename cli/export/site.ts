import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { pageStyle } from "#core/export/html/style.ts";
import {
  linksWithin,
  manualPage,
  shownFacts,
  siteFiles,
  siteHome,
  siteIcon,
  sitePage,
  type SitePage,
} from "#core/export/site.ts";
import { foldedKey } from "#core/links/link-targets.ts";
import { searchIndexScript, searchScript, searchText, type Searchable } from "#core/export/site-search.ts";
import { styleHash } from "./inline.ts";
import { readIfExists } from "../files.ts";
import { lostLinkNotes } from "./lost-links.ts";
import type { Problem } from "../exit.ts";
import { exportEach } from "../left-out-sops.ts";
import type { WriteFile } from "./folder.ts";
import type { ExportEntry, DocumentSource } from "./source.ts";
import type { CommandOutput } from "../output.ts";

export interface SiteOptions {
  /** The title of the page that lists all documents; by default the company's name. */
  title?: string;
  /** True if pages show numbers, status and signatures. A manual for readers does without them. */
  control: boolean;
}

/** Writes a page per document, a list of all pages, and a search that works without a server. */
export async function writeSite(
  source: DocumentSource,
  options: SiteOptions,
  out: CommandOutput,
  writeFile: WriteFile,
): Promise<Problem[]> {
  const names = pageNames(source.entries);
  const targets = source.entries.map((entry, index) => ({ ...entry, name: names[index] ?? "" }));
  const failed: Problem[] = [];
  // no page links a document that is left out, so the others are written again without it
  for (let entries = targets; ;) {
    const left = await writeSitePages(source, entries, options, out, writeFile);
    failed.push(...left.failed);
    if (left.failed.length === 0) return failed;
    entries = entries.filter((entry) => left.done.includes(entry));
  }
}

type NamedEntry = ExportEntry & { name: string };

async function writeSitePages(
  source: DocumentSource,
  entries: readonly NamedEntry[],
  { title, control }: SiteOptions,
  out: CommandOutput,
  writeFile: WriteFile,
): Promise<{ failed: Problem[]; done: NamedEntry[] }> {
  const linksFrom = linksWithin(entries);
  const pages: SitePage[] = [];
  const searchable: Searchable[] = [];
  const written = new Set<string>();
  const result = await exportEach(entries, out, async (entry, index) => {
    const { document, html } = await source.read(entry);
    const page = { document, name: entry.name };
    const number = control ? document.number : "";
    const shown = { title: document.title, description: document.description, ...shownFacts(document, control) };
    const { link, lost } = linksFrom(entry);
    const images = new Set<string>();
    const imageAddress = (name: string) => {
      images.add(name);
      return `../assets/${name}`;
    };
    const missing = new Set<string>();
    const parts = { html, image: imageAddress, link, lostImage: (src: string) => missing.add(src) };
    const text = control
      ? sitePage(page, parts, "All documents", styleHash)
      : manualPage(page, parts, title ?? "All pages");
    for (const name of images) {
      if (written.has(name)) continue;
      await writeFile(`assets/${name}`, await source.image(name));
      written.add(name);
    }
    await writeFile(`sops/${page.name}.html`, text);
    pages[index] = page;
    searchable[index] = { ...shown, number, name: page.name, text: searchText(html) };
    const isWhole = lost.size + missing.size === 0;
    for (const note of isWhole ? [] : lostLinkNotes(await source.text(entry), lost, missing)) {
      out.note(`${entry.path}: ${note}`);
    }
  });
  if (result.failed.length > 0) return result;
  out.progress("writing the index");
  const [first] = pages;
  const name = title ?? first?.document.company ?? "Standard operating procedures";
  await writeFile("index.html", siteHome(name, pages, control));
  await writeFile(siteFiles.style, pageStyle);
  await writeFile(siteFiles.icon, siteIcon);
  await writeFile(siteFiles.script, searchScript());
  await writeFile(siteFiles.library, await readSearchLibrary());
  await writeFile(siteFiles.index, searchIndexScript(searchable));
  return result;
}

/** Names pages after their files. If two files have the same name, the second page gets a number. */
function pageNames(entries: readonly ExportEntry[]): string[] {
  const taken = new Set<string>();
  return entries.map(({ path }) => {
    const name = basename(path)
      .normalize("NFC")
      .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-");
    let free = name;
    for (let count = 2; taken.has(foldedKey(free)); count += 1) free = `${name}-${count}`;
    taken.add(foldedKey(free));
    return free;
  });
}

/** The package for the terminal has the search library beside the program; otherwise it's in its own package. */
async function readSearchLibrary(): Promise<Uint8Array> {
  const bundled = await readIfExists(join(import.meta.dirname, "minisearch.umd.js"));
  if (bundled !== null) return bundled;
  const entry = createRequire(import.meta.url).resolve("minisearch");
  return await readFile(join(dirname(dirname(entry)), "umd", "index.js"));
}
