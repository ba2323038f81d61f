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
import { runParallel } from "../run-parallel.ts";
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
  { title, control }: SiteOptions,
  out: CommandOutput,
  writeFile: WriteFile,
): Promise<void> {
  const names = pageNames(source.entries);
  const targets = source.entries.map((entry, index) => ({ ...entry, name: names[index] ?? "" }));
  const linksFrom = linksWithin(targets);
  const pages: SitePage[] = [];
  const searchable: Searchable[] = [];
  const images = new Set<string>();
  const imageAddress = (name: string) => {
    images.add(name);
    return `../assets/${name}`;
  };
  await runParallel(source.entries, async (entry, index) => {
    out.progress(`exporting ${index + 1} of ${source.entries.length}`);
    const { document, html } = await source.read(entry);
    const page = { document, name: names[index] ?? "" };
    pages[index] = page;
    const number = control ? document.number : "";
    const shown = { title: document.title, description: document.description, ...shownFacts(document, control) };
    searchable[index] = { ...shown, number, name: page.name, text: searchText(html) };
    const { link, lost } = linksFrom({ ...entry, name: page.name });
    const missing = new Set<string>();
    const parts = { html, image: imageAddress, link, lostImage: (src: string) => missing.add(src) };
    const text = control
      ? sitePage(page, parts, "All documents", styleHash)
      : manualPage(page, parts, title ?? "All pages");
    await writeFile(`sops/${page.name}.html`, text);
    const isWhole = lost.size + missing.size === 0;
    for (const note of isWhole ? [] : lostLinkNotes(await source.text(entry), lost, missing)) {
      out.note(`${entry.path}: ${note}`);
    }
  });
  out.progress("writing the index");
  await runParallel([...images].sort(), async (name) => writeFile(`assets/${name}`, await source.image(name)));
  const [first] = pages;
  const name = title ?? first?.document.company ?? "Standard operating procedures";
  await writeFile("index.html", siteHome(name, pages, control));
  await writeFile(siteFiles.style, pageStyle);
  await writeFile(siteFiles.icon, siteIcon);
  await writeFile(siteFiles.script, searchScript());
  await writeFile(siteFiles.library, await readSearchLibrary());
  await writeFile(siteFiles.index, searchIndexScript(searchable));
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
