import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { pageStyle } from "#core/export/html/style.ts";
import {
  createLinkResolver,
  manualPageHtml,
  searchResultFacts,
  siteFiles,
  siteHomeHtml,
  siteIcon,
  sitePageHtml,
  type SitePage,
} from "#core/export/site.ts";
import { foldedKey } from "#core/links/link-targets.ts";
import { searchIndexScript, searchScript, searchableTextOf, type SiteSearchEntry } from "#core/export/site-search.ts";
import { styleHash } from "./inline.ts";
import { readIfExists } from "../files.ts";
import { lostLinkNotes } from "./lost-links.ts";
import type { Problem } from "../exit.ts";
import { exportEach } from "../left-out-sops.ts";
import { runParallel } from "../run-parallel.ts";
import { createSharedFileWriter, type WriteFile } from "./folder.ts";
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
  const { title, control } = options;
  const writeOnce = createSharedFileWriter(writeFile);
  const linksToAll = createLinkResolver(targets);
  const { made, failed } = await exportEach(targets, out, async (entry) => {
    const { document, html } = await source.read(entry);
    const page = renderPage({ ...entry, document, html }, linksToAll, options);
    for (const name of page.images) await writeOnce(`assets/${name}`, () => source.image(name));
    return { ...entry, document, html, page };
  });
  out.progress("writing the pages");
  const linksToMade = createLinkResolver<NamedEntry>(made);
  await runParallel(made, async (one) => {
    // If a document failed, pages are rendered again without links to it.
    const { text, lost, missing } = failed.length === 0 ? one.page : renderPage(one, linksToMade, options);
    await writeFile(`sops/${one.name}.html`, text);
    const isWhole = lost.size + missing.size === 0;
    for (const note of isWhole ? [] : lostLinkNotes(await source.text(one), lost, missing))
      out.note(`${one.path}: ${note}`);
  });
  const [first] = made;
  const name = title ?? first?.document.company ?? "Standard operating procedures";
  const searchable: SiteSearchEntry[] = made.map(({ name: page, document, html }) => {
    const shown = { title: document.title, description: document.description, ...searchResultFacts(document, control) };
    return { ...shown, number: control ? document.number : "", name: page, text: searchableTextOf(html) };
  });
  await writeFile("index.html", siteHomeHtml(name, made, control));
  await writeFile(siteFiles.style, pageStyle);
  await writeFile(siteFiles.icon, siteIcon);
  await writeFile(siteFiles.script, searchScript());
  await writeFile(siteFiles.library, await readSearchLibrary());
  await writeFile(siteFiles.index, searchIndexScript(searchable));
  return failed;
}

type NamedEntry = ExportEntry & { name: string };

interface RenderedPage {
  text: string;
  images: ReadonlySet<string>;
  lost: ReadonlySet<string>;
  missing: ReadonlySet<string>;
}

function renderPage(
  entry: NamedEntry & SitePage & { html: string },
  linksFrom: ReturnType<typeof createLinkResolver<NamedEntry>>,
  { title, control }: SiteOptions,
): RenderedPage {
  const { document, html, name } = entry;
  const { link, lost } = linksFrom(entry);
  const [images, missing] = [new Set<string>(), new Set<string>()];
  const imageAddress = (image: string) => {
    images.add(image);
    return `../assets/${image}`;
  };
  const parts = { html, image: imageAddress, link, lostImage: (src: string) => missing.add(src) };
  const page = { document, name };
  const text = control
    ? sitePageHtml(page, parts, "All documents", styleHash)
    : manualPageHtml(page, parts, title ?? "All pages");
  return { text, images, lost, missing };
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

/** Reads the search library. The built command has it beside the program; the sources take it from its npm package. */
async function readSearchLibrary(): Promise<Uint8Array> {
  const bundled = await readIfExists(join(import.meta.dirname, "minisearch.umd.js"));
  if (bundled !== null) return bundled;
  const entry = createRequire(import.meta.url).resolve("minisearch");
  return await readFile(join(dirname(dirname(entry)), "umd", "index.js"));
}
