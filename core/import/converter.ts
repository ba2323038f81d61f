/** Converts the files of an import into Markdown documents: text, links to other documents, and files to store. */
import { findHeadingAnchors, referencedNames, anchorAddress, type HeadingAnchor } from "#core/dialects/anchors.ts";
import { convertDialectsInText, reportConstructs } from "#core/dialects/convert.ts";
import { toLines } from "#core/text/lines.ts";
import { createReport, type ConversionReport, type ReportLine } from "#core/import/markdown/report.ts";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import { utf8Length } from "#core/markdown/limits.ts";
import { relativePath } from "#core/links/paths.ts";
import { findHeaderBlock, findTomlBlock } from "#core/import/markdown/header-block.ts";
import type { SourceTree } from "./files.ts";
import type { SourceDocument } from "./layouts.ts";
import { imageFilePattern } from "./image-name.ts";
import { readSourceAsMarkdown } from "./read-text.ts";
import { bodyStart, rewriteLinks, type DocumentLink, type ResolvedLink } from "./rewrite-links.ts";
import {
  assetAddress,
  createFileFinder,
  storedFileOrProblem,
  type FoundFile,
  type StoredFile,
} from "./stored-files.ts";
import { createHeadingLookup, type HeadingLookup } from "#core/links/heading-names.ts";
import { lineNumbersOfAddress } from "#core/links/link-lines.ts";
import { detectAddressBase, splitAddress } from "#core/links/link-targets.ts";
import { decodedWrittenAddress } from "#core/markdown/addresses.ts";
import { createDocumentIndex, relativeAddressesIn, type DocumentIndex, comparableAddress } from "./targets.ts";
import { refusals } from "./refusals.ts";

export interface PreparedDocument {
  path: string;
  /**
   * The hash of the file and of all images and links in it. If it is equal to that of an earlier import, nothing has
   * changed.
   */
  sha256: string;
  /** The Markdown text. Links to other documents of the import are as written; `replaceDocumentLinks` replaces them. */
  text: string;
  links: DocumentLink[];
  files: StoredFile[];
  notes: ReportLine[];
}

export interface DocumentFingerprint {
  sha256: string;
  /** Paths of other documents to which the document's links may lead. */
  leadsTo: string[];
}

export interface Converter {
  /**
   * Reads a document and remembers its links, headings and names for the other functions. @throws AppError with a
   * sentence that continues after the file's name
   */
  examine(document: SourceDocument): Promise<{ text: string }>;
  /** Returns a hash that tells whether the document has changed. Callers must examine all documents first. */
  fingerprint(document: SourceDocument): Promise<DocumentFingerprint>;
  /**
   * Converts a document to the text that is imported. Callers must examine all documents first. @throws AppError with a
   * sentence that continues after the file's name
   */
  convert(document: SourceDocument): Promise<PreparedDocument>;
}

interface ExaminedDocument {
  sha256: string;
  mentions: ReadonlySet<string>;
  /** Names of MyST targets, in this document or others, to which the document's links lead. */
  asksFor: ReadonlySet<string>;
  /** The targets of the links; absent until they are looked up, which needs all documents. */
  targets?: Promise<ResolvedTargets>;
  /** The converted text of a Word or HTML file, cached because converting again would be slow. */
  converted?: { text: string; images: Map<string, FoundFile>; notes: ReportLine[] };
}

export interface ConverterOptions {
  documents: readonly SourceDocument[];
  tree: SourceTree;
  sha256: (data: Uint8Array | string) => string;
  /**
   * True if documents will be split. A document can then be larger than an SOP, and `assertDocumentSize` checks its
   * parts.
   */
  split?: boolean;
  /**
   * Tells whether the server already has a file that is not part of the import, so that links to this file aren't
   * reported as broken.
   */
  isStored?: (path: string) => boolean;
}

export function createConverter({ documents, tree, sha256, split = false, isStored }: ConverterOptions): Converter {
  const atMost = split ? limits.splitSource : limits.document;
  const files = createFileFinder(tree, sha256);
  const bySource = new Map(documents.map((document) => [document.file.path, document.path]));
  const addresses = new Map<string, string>();
  const seen = new Map<string, ExaminedDocument>();
  /** Targets of MyST by document. `anchorOwners` has the document of each target. */
  const anchors = new Map<string, ReadonlyMap<string, HeadingAnchor>>();
  const anchorOwners = new Map<string, string>();
  const headings = new Map<string, HeadingLookup>();
  /** Titles of documents that are the home page of a folder, by the document's path. */
  const titles = new Map<string, string>();
  /** Source paths of documents that can't be read. */
  const refused = new Set<string>();
  let index: { read: DocumentIndex; refused: DocumentIndex } | undefined;
  const documentIndex = () => {
    if (index !== undefined) return index;
    const written = documents.map(({ path, file }) => ({ path: file.path, addresses: seen.get(path)?.mentions ?? [] }));
    const paths = [...bySource.keys()];
    const indexOf = (some: readonly string[], named: ReadonlyMap<string, string>) =>
      createDocumentIndex(some, named, (all) => detectAddressBase(written, all));
    index = {
      read: indexOf(
        paths.filter((path) => !refused.has(path)),
        addresses,
      ),
      refused: indexOf([...refused], new Map()),
    };
    return index;
  };

  async function convertWholeFile(document: SourceDocument): Promise<NonNullable<ExaminedDocument["converted"]>> {
    const report = createReport(document.path);
    const { text, images } = await readSourceAsMarkdown(document, await document.file.read(), report);
    const readImageAgain = (name: string) => async () =>
      (await readSourceAsMarkdown(document, await document.file.read())).images.get(name) ?? new Uint8Array();
    const stored = [...images].map(([name, bytes]): [string, FoundFile] => [
      name,
      storedFileOrProblem(name, bytes, sha256, readImageAgain(name)),
    ]);
    return { text, images: new Map(stored), notes: report.lines };
  }

  async function examineDocument(document: SourceDocument): Promise<{ text: string }> {
    try {
      return await examineReadable(document);
    } catch (error) {
      refused.add(document.file.path);
      throw error;
    }
  }

  async function examineReadable(document: SourceDocument): Promise<{ text: string }> {
    const bytes = await document.file.read();
    const isMarkdown = document.kind === "markdown";
    const converted = isMarkdown ? undefined : await convertWholeFile(document);
    const text = converted?.text ?? (await readSourceAsMarkdown(document, bytes)).text;
    assertDocumentSize(text, atMost);
    for (const address of otherAddressesOfPage(text))
      if (!addresses.has(address)) addresses.set(address, document.file.path);
    if (isMarkdown) {
      const own = findHeadingAnchors(toLines(text.slice(bodyStart(text)), 1));
      if (own.size > 0) anchors.set(document.file.path, own);
      for (const name of own.keys()) if (!anchorOwners.has(name)) anchorOwners.set(name, document.file.path);
    }
    const asksFor = isMarkdown ? referencedNames(text) : new Set<string>();
    // convert constructs of other tools first, because the result can also link a file
    const mapped = isMarkdown ? convertDialectsOfFile(text, createReport("")) : text;
    const mentions = relativeAddressesIn(mapped);
    if (isMarkdown) headings.set(document.file.path, createHeadingLookup(markdownBodyOf(mapped), markdownBodyOf(text)));
    const title = homePage.test(document.path) ? titleInSource(text) : undefined;
    if (title !== undefined) titles.set(document.path, title);
    seen.set(document.path, { sha256: sha256(bytes), mentions, asksFor, ...(converted && { converted }) });
    return { text };
  }

  async function resolveUrl(
    document: SourceDocument,
    url: string,
    isImage: boolean,
    own?: ReadonlyMap<string, FoundFile>,
  ): Promise<ResolvedTarget> {
    const { path, fragment } = splitAddress(decodedWrittenAddress(url));
    if (path === "") return { kind: "here", fragment: url };
    const found = own?.get(path) ?? (await files.find(document.file.path, path));
    if (found !== undefined)
      return "problem" in found
        ? { kind: "missing", what: found.problem }
        : { kind: "asset", url: assetAddress(found), file: found };
    const other = documentIndex().read.find(document.file.path, path);
    if (other !== undefined && !isImage) {
      const slug = slugOf(other, fragment);
      const isLost = slug === undefined && fragment.length > 1 && fragment !== "#top" && headings.has(other);
      const at = bySource.get(other) ?? other;
      return { kind: "document", path: at, ...(slug && { fragment: `#${slug}` }), ...(isLost && { isLost }) };
    }
    if (isImage || imageFilePattern.test(path))
      return isStored?.(path) === true ? { kind: "here", fragment: url } : { kind: "missing" };
    return documentIndex().refused.find(document.file.path, path) === undefined ? undefined : { kind: "refused" };
  }

  /** Returns the anchor of a heading by the name that the other tool gives it. */
  function slugOf(source: string, fragment: string): string | undefined {
    const name = fragment.slice(1);
    return anchors.get(source)?.get(name)?.slug ?? headings.get(source)?.find(name);
  }

  async function resolveName(
    document: SourceDocument,
    name: string,
    own?: ReadonlyMap<string, FoundFile>,
  ): Promise<ResolvedTarget> {
    const found = await resolveUrl(document, name.replaceAll("%", "%25"), false, own);
    if (found !== undefined) return found;
    const other = documentIndex().read.named(document.file.path, name);
    return other === undefined ? undefined : { kind: "document", path: bySource.get(other) ?? other };
  }

  /** Returns the MyST targets in other documents that this document uses. All documents must be examined first. */
  function anchorsElsewhere({ file }: SourceDocument, { asksFor }: ExaminedDocument): Map<string, HeadingAnchor> {
    const found = new Map<string, HeadingAnchor>();
    for (const name of asksFor) {
      const owner = anchorOwners.get(name);
      const anchor = owner === undefined ? undefined : anchors.get(owner)?.get(name);
      if (owner === undefined || anchor === undefined || anchors.get(file.path)?.has(name)) continue;
      const address = encodeURI(relativePath(file.path, owner)).replace(
        /[()#?]/g,
        (sign) => `%${sign.charCodeAt(0).toString(16)}`,
      );
      found.set(name, { ...anchor, document: address });
    }
    return found;
  }

  /** Finds the targets of all links in a text, before the links are rewritten. */
  async function findTargets(document: SourceDocument, known: ExaminedDocument): Promise<ResolvedTargets> {
    const { mentions, converted } = known;
    const own = converted?.images;
    const all: ResolvedTargets = { links: new Map(), images: new Map(), names: new Map() };
    for (const url of [...mentions, ...[...anchorsElsewhere(document, known).values()].map(anchorAddress)]) {
      all.links.set(url, await resolveUrl(document, url, false, own));
      all.images.set(url, await resolveUrl(document, url, true, own));
      all.names.set(url, await resolveName(document, url, own));
    }
    return all;
  }

  function examinedDocumentOf(document: SourceDocument): ExaminedDocument {
    const found = seen.get(document.path);
    if (found === undefined) throw new Error(`${document.path} was not examined`);
    return found;
  }

  async function fingerprintLinks(document: SourceDocument): Promise<DocumentFingerprint> {
    const own = examinedDocumentOf(document);
    if (own.mentions.size === 0 && own.asksFor.size === 0) return { sha256: own.sha256, leadsTo: [] };
    const { names, links } = await (own.targets ??= findTargets(document, own));
    const others = [...anchorsElsewhere(document, own).values()].map(anchorAddress);
    // include link targets in the hash, because a new or renamed target changes the text
    const found = [...names].flatMap(([url, target]) => {
      if (target?.kind === "asset") return [`${url}\0${target.url}`];
      return target?.kind === "document" ? [`${url}\0${target.path}\0${target.fragment ?? ""}`] : [];
    });
    const leadsTo = [...names.values(), ...others.map((url) => links.get(url))].flatMap((target) =>
      target?.kind === "document" ? [target.path] : [],
    );
    found.push(...others);
    const sum = found.length === 0 ? own.sha256 : sha256([own.sha256, ...found.toSorted()].join("\n"));
    return { sha256: sum, leadsTo: [...new Set(leadsTo)].filter((path) => path !== document.path) };
  }

  async function convertDocument(document: SourceDocument): Promise<PreparedDocument> {
    const own = examinedDocumentOf(document);
    const report = createReport(document.path);
    const { sha256: sum } = await fingerprintLinks(document);
    const read = own.converted?.text ?? (await readSourceAsMarkdown(document, await document.file.read())).text;
    const text = withSourceFacts(
      document.kind === "markdown" ? convertDialectsOfFile(read, report, anchorsElsewhere(document, own)) : read,
      document,
    );
    const targets = await (own.targets ??= findTargets(document, own));
    const used = new Map<string, StoredFile>();
    const noteUse = (found: ResolvedTarget): ResolvedLink => {
      if (found?.kind === "asset") used.set(found.file.sha256, found.file);
      return found;
    };
    const resolver = {
      resolve: (url: string, isImage: boolean) => noteUse((isImage ? targets.images : targets.links).get(url)),
      named: (name: string) => noteUse(targets.names.get(name)),
      here: (fragment: string) => {
        const known = headings.has(document.file.path);
        const slug = slugOf(document.file.path, fragment);
        return slug === undefined ? (known ? undefined : fragment) : `#${slug}`;
      },
      hasHeading: (path: string, fragment: string) => {
        const source = documents.find((one) => one.path === path)?.file.path ?? path;
        return !headings.has(source) || slugOf(source, fragment) !== undefined;
      },
      titleOf: (path: string) => titles.get(path),
    };
    // only Markdown files have line numbers
    const linesOfAddress = (written: string) =>
      document.kind === "markdown" ? lineNumbersOfAddress(read, written) : [];
    // skip texts without links, because parsing is expensive
    const leads = own.mentions.size > 0 || /\[\[|\]\(<?#|\]:[ \t]*<?#|href\s*=\s*["']?#/.test(text);
    const rewritten = leads ? rewriteLinks(text, resolver, report, linesOfAddress) : { text, links: [] };
    assertDocumentSize(rewritten.text, atMost);
    const notes = [...(own.converted?.notes ?? []), ...report.lines];
    return { path: document.path, sha256: sum, ...rewritten, files: [...used.values()], notes };
  }

  return { examine: examineDocument, fingerprint: fingerprintLinks, convert: convertDocument };
}

/** Matches a file that is the home page of its folder. */
const homePage = /(?:^|\/)(?:readme|_?index)\.\w+$/i;

/** Returns the title of a text from its front matter or its first heading of level 1; undefined without these. */
function titleInSource(text: string): string | undefined {
  const header = text.slice(0, bodyStart(text));
  const own = /^title[ \t]*[:=][ \t]*(["']?)(.+?)\1[ \t]*$/m.exec(header)?.[2] ?? /^# +(.+?)[ \t#]*$/m.exec(text)?.[1];
  return own?.trim();
}

function markdownBodyOf(text: string): string {
  return text.slice(bodyStart(text)).replace(/\r\n?/g, "\n");
}

/**
 * Converts constructs of other tools before links are read, because a converted image or link can refer to another file
 * of the import.
 */
function convertDialectsOfFile(
  text: string,
  report: ConversionReport,
  others?: ReadonlyMap<string, HeadingAnchor>,
): string {
  const start = bodyStart(text);
  const header = text.slice(0, start);
  const { text: body, constructs } = convertDialectsInText(
    text.slice(start).replace(/\r\n?/g, "\n"),
    header.split(/\r\n?|\n/).length,
    others,
  );
  reportConstructs(constructs, report);
  return constructs.some(({ outcome }) => outcome !== "reported") ? header + body : text;
}

type ResolvedTarget =
  | (ResolvedLink & { kind: "document" | "missing" | "here" | "refused" })
  | { kind: "asset"; url: string; file: StoredFile }
  | undefined;

interface ResolvedTargets {
  links: Map<string, ResolvedTarget>;
  images: Map<string, ResolvedTarget>;
  names: Map<string, ResolvedTarget>;
}

/**
 * Checks the size of a text. @throws AppError `too_large` above `atMost` bytes, with a sentence that continues after
 * the file's name
 */
export function assertDocumentSize(text: string, atMost: number = limits.document): void {
  const bytes = utf8Length(text);
  if (bytes <= atMost) return;
  const kibibytesText = (size: number) => `${Math.ceil(size / 1024).toLocaleString("en")} KiB`;
  throw new AppError("too_large", refusals.tooMuchText({ size: kibibytesText(bytes), most: kibibytesText(atMost) }));
}

/** Returns other addresses by which links mean a page, from its header: permalink, aliases, title and id. */
function otherAddressesOfPage(text: string): string[] {
  const header = text.slice(0, bodyStart(text));
  if (header === "") return [];
  const found: string[] = [];
  for (const [, , value = ""] of header.matchAll(
    /^(permalink|url|slug|title|id)\s*[:=]\s*["']?([^"'\n{}]+?)["']?\s*$/gm,
  ))
    found.push(value);
  const [, list = ""] = /^(?:aliases|redirect_from)\s*[:=]\s*(\[[^\]\n]*\]|(?:\n[ \t]*-[^\n]*)+)/m.exec(header) ?? [];
  for (const [, item = ""] of list.matchAll(/(?:^|[\n,[])[ \t]*-?[ \t]*["']?([^"'\n,[\]]+?)["']?[ \t]*(?=[\n,\]]|$)/g))
    found.push(item);
  return [...new Set(found.map(comparableAddress).filter((value) => value !== ""))];
}

/**
 * Returns the text with facts such as the author in its front matter. A file with the number of an SOP gets no facts,
 * because each fact would make a new version of that SOP.
 */
function withSourceFacts(text: string, { id, file }: SourceDocument): string {
  const header = text.slice(0, bodyStart(text));
  if (/^sop:/m.test(header)) return text;
  const facts = [
    ...(id === undefined ? [] : [`id: "${id}"`]),
    ...(file.author === undefined ? [] : [`x-source-author: ${JSON.stringify(file.author)}`]),
    ...(file.changed === undefined ? [] : [`x-source-date: "${file.changed}"`]),
  ];
  if (facts.length === 0) return text;
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text)?.[0];
  if (opening !== undefined && header !== "") {
    const keys = facts.filter((fact) => !new RegExp(`^${fact.split(":")[0]}:`, "m").test(header));
    return opening + keys.map((fact) => `${fact}\n`).join("") + text.slice(opening.length);
  }
  // add nothing to a TOML or unmarked header, which would become text below the added front matter
  if (findTomlBlock(text) !== undefined || findHeaderBlock(text) !== undefined) return text;
  return `---\n${facts.join("\n")}\n---\n\n${text}`;
}
