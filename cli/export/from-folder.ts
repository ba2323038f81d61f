/** Exports documents of a folder without a server. */
import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { convertDialectsInText } from "#core/dialects/convert.ts";
import { createHeadingLookup } from "#core/links/heading-names.ts";
import { relativeAddressesIn } from "#core/import/targets.ts";
import { relativePath } from "#core/links/paths.ts";
import { readNumber } from "#core/numbers/numbers.ts";
import { splitFrontMatter } from "#core/markdown/front-matter.ts";
import { createLinkResolver } from "#core/export/site.ts";
import { createDiskTree } from "../import/disk-source.ts";
import { lostLinkNotes } from "./lost-links.ts";
import { documentAsHtmlFile } from "#core/export/html/page.ts";
import { exportDocumentOfFile } from "#core/export/of-file.ts";
import { withServerAssetLinks } from "#core/markdown/assets.ts";
import { renderSop } from "#core/steps/steps-of.ts";
import { pathWithin, projectRootOf } from "../workspace.ts";
import { workspaceConfigName } from "../workspace/find.ts";
import { frontMatterOrNull, listDocuments } from "../workspace/documents.ts";
import { AppError } from "#core/errors.ts";
import { missingCharactersOf, missingFontMessage, type MissingCharacters } from "#core/export/fonts.ts";
import { CliError, exit, invalidInputError } from "../exit.ts";
import { readSourceText } from "../read-source.ts";
import { findMarkdown, type WalkedFile } from "../walk.ts";
import { dataUrlOf, styleHash } from "./inline.ts";
import { withLocalImages, type LocalImage } from "./local-images.ts";
import { createLocalPrinter } from "./printer.ts";
import type { ExportEntry, RenderedDocument, DocumentSource } from "./source.ts";
import type { CommandContext } from "../context.ts";

interface FileEntry extends ExportEntry {
  file: string;
  names: string[];
}

export async function openFolderSource(
  { cwd, signal }: Pick<CommandContext, "cwd" | "signal">,
  folder: string,
  ids: readonly string[],
  fonts: readonly string[] = [],
): Promise<DocumentSource> {
  const all: FileEntry[] = [];
  const root = sourceRootOf(resolve(cwd, folder), cwd);
  for (const found of await listDocumentFiles(folder, cwd, root)) {
    signal.throwIfAborted();
    all.push(await readFileEntry(found));
  }
  const entries = ids.length === 0 ? all : ids.map((id) => findChosenEntry(all, id, folder));
  const paths = new Map(entries.map((entry) => [entry.path, entry.file]));
  const pictures = new Map<string, LocalImage>();
  const linked = new Map<string, LocalImage>();
  const printer = createLocalPrinter(signal, fonts);
  const tree = createDiskTree(root, [root]);
  const linksFrom = createLinkResolver<ExportEntry & { name: string }>(
    entries.map((entry) => ({ ...entry, name: basename(entry.path) })),
    (to, from) => encodeURI(relativePath(from.path, `${to.path}.html`)).replace(/[?#]/g, encodeURIComponent),
  );
  const linksOf = (entry: ExportEntry) => linksFrom({ ...entry, name: basename(entry.path) });

  /** @param files collects the linked files, if the export includes them */
  async function readEntry(entry: ExportEntry, files?: typeof linked): Promise<RenderedDocument & { text: string }> {
    const file = paths.get(entry.path) ?? "";
    const { text, sha256 } = await readDocumentSource({ file, path: entry.path });
    const source = await withLocalImages(
      withServerAssetLinks(text),
      { path: pathWithin(root, file), tree },
      pictures,
      files,
    );
    const { frontMatter, body } = readMarkdownDocument({ path: `${entry.path}${extname(file)}`, text: source });
    const name = basename(file, extname(file));
    const category = entry.path.includes("/") ? categoryNameOfFolder(basename(dirname(file))) : null;
    const company = null;
    const document = exportDocumentOfFile({
      name,
      frontMatter,
      markdown: body,
      contentHash: sha256,
      category,
      company,
    });
    return { text, document, html: renderSop(body) };
  }

  return {
    entries,
    leftOut: [],
    text: async (entry) => (await readEntry(entry)).text,
    read: (entry) => readEntry(entry, linked),
    json: async (entry) => (await readEntry(entry)).document,
    async renderFile(entry, format, standard) {
      const { document, html, text } = await readEntry(entry);
      if (format === "html") {
        const warnings: string[] = [];
        const { link, lost } = linksOf(entry);
        const missing = new Set<string>();
        const findImage = (name: string) => {
          const found = pictures.get(name);
          if (found && found.problem !== null) warnings.push(`${found.path} ${found.problem}: it is left out`);
          return found?.problem === null ? dataUrlOf(found.bytes) : undefined;
        };
        const parts = { html, image: findImage, link, lostImage: (src: string) => missing.add(src) };
        const bytes = Buffer.from(documentAsHtmlFile(document, parts, styleHash));
        return { bytes, warnings: [...warnings, ...lostLinkNotes(text, lost, missing)] };
      }
      const images = [...pictures].map(([name, { bytes }]) => ({ names: [name], bytes }));
      try {
        return await printer.print({ format, document, html, standard }, images);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "font_missing") throw error;
        throw missingFontError(error.details as MissingCharacters, entry, text);
      }
    },
    async image(name) {
      const image = pictures.get(name) ?? linked.get(name);
      if (image === undefined) throw invalidInputError("not_found", `the image ${name} is not in the folder`);
      return image.bytes;
    },
    async attachments(entry, text) {
      const own = new Map<string, LocalImage>();
      const file = paths.get(entry.path) ?? "";
      await withLocalImages(text, { path: pathWithin(root, file), tree }, own, own);
      return [...own.values()].map(({ path, bytes }) => ({ path, bytes: () => Promise.resolve(bytes) }));
    },
    records: () => Promise.resolve({}),
    async close() {
      printer.close();
    },
  };
}

/** @param markdown the whole file with its front matter, so that the error names the line in the file */
function missingFontError({ characters, fonts }: MissingCharacters, { path }: ExportEntry, markdown: string): CliError {
  const { lines } = missingCharactersOf(characters, { markdown, lang: null });
  const [line] = lines;
  const add = `sop fonts add ${fonts.join(" ")}`;
  return new CliError(exit.invalid, {
    code: "font_missing",
    message: missingFontMessage({ characters, lines }).text,
    path: `${path}.md`,
    ...(line !== undefined && { line }),
    hint: fonts.length > 0 ? add : "name a folder with a font that has them: --fonts <folder>",
  });
}

/**
 * Returns the folder that paths are relative to: the workspace around `folder`, because documents link its images, or
 * else `folder` itself.
 */
function sourceRootOf(folder: string, cwd: string): string {
  const root = projectRootOf(folder, cwd);
  if (existsSync(join(root, workspaceConfigName))) return root;
  return statSync(folder, { throwIfNoEntry: false })?.isFile() === true ? dirname(folder) : folder;
}

/** Lists the documents: in a workspace the files of its document folders, in any other folder all Markdown files. */
async function listDocumentFiles(folder: string, cwd: string, root: string): Promise<WalkedFile[]> {
  const isWholeWorkspace = resolve(cwd, folder) === root && existsSync(join(root, workspaceConfigName));
  const { files } = isWholeWorkspace ? await listDocuments(root) : await findMarkdown([folder], cwd);
  return files.map(({ file }) => ({ file, path: pathWithin(root, file) }));
}

async function readDocumentSource(found: WalkedFile) {
  const source = await readSourceText(found);
  if ("code" in source) throw new CliError(2, source);
  return source;
}

async function readFileEntry(found: WalkedFile): Promise<FileEntry> {
  const { text } = await readDocumentSource(found);
  // Choosing documents needs only their front matter. The body of a chosen document is parsed later.
  const frontMatter = frontMatterOrNull(text) ?? {};
  const stem = found.path.replace(/\.(md|markdown)$/i, "");
  const name = basename(stem);
  const number = frontMatter.sop ?? name;
  const names = [number, frontMatter.id ?? "", name, found.path, stem].map((one) => one.toLowerCase());
  const { body } = splitFrontMatter(text);
  const mapped = convertDialectsInText(body.replace(/\r\n?/g, "\n")).text;
  const links = { headings: createHeadingLookup(mapped, body), mentions: relativeAddressesIn(mapped) };
  return { id: frontMatter.id ?? null, number, path: stem, ending: ".md", file: found.file, names, ...links };
}

function findChosenEntry(all: readonly FileEntry[], id: string, folder: string): FileEntry {
  const number = readNumber(id) ?? id;
  const found = all.find(({ names }) => [id, number].some((name) => names.includes(name.toLowerCase())));
  if (found === undefined) throw invalidInputError("not_found", `no document ${id} in ${folder}`);
  return found;
}

function categoryNameOfFolder(folder: string): string | null {
  if (/^(sops|templates|archive|docs|uncategorized|\.)$/.test(folder)) return null;
  return folder.replace(/[-_]+/g, " ").replace(/^\p{L}/u, (letter) => letter.toUpperCase());
}
