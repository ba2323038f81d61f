/**
 * Makes folders of Markdown from a seed, and checks that each link arrives after the import and in an exported site, or
 * has a note.
 */
import { createHash } from "node:crypto";
import { convertDialectsInText } from "#core/dialects/convert.ts";
import { createLinkResolver } from "#core/export/site.ts";
import { createSourceTree } from "#core/import/archive.ts";
import { createConverter } from "#core/import/converter.ts";
import { sortIntoDocuments } from "#core/import/layouts.ts";
import { replaceDocumentLinks } from "#core/import/link-to.ts";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { relativeAddressesIn } from "#core/import/targets.ts";
import { relativePath } from "#core/links/paths.ts";
import { createHeadingLookup } from "#core/links/heading-names.ts";
import { renderHtml } from "#core/markdown/render.ts";

const png = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);
const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest("hex");

interface WrittenLink {
  label: string;
  from: string;
  /** The link as the text has it, for notes. */
  url: string;
  /** The document or image to which the source's tool leads; null: the link is broken. */
  target: string | null;
  /** The heading's name in our views, if it names one. */
  heading: string;
  kind: "link" | "image" | "wiki";
}

export interface LinkedFolder {
  files: Map<string, string | Uint8Array>;
  links: WrittenLink[];
}

const words = [
  "set-up",
  "Pumpe ä",
  "Prüfung (2)",
  "停 止",
  "เริ่มงาน",
  "valve_b",
  "Über Öl",
  "a&b",
  "50% full",
  "Ô-ring",
];
const titles: [title: string, mkdocs: string, ours: string][] = [
  ["Close it", "close-it", "close-it"],
  ["Heat - Cool", "heat-cool", "heat---cool"],
  ["Prüfung", "prufung", "prüfung"],
  ["Step 2: Öl", "step-2-ol", "step-2-öl"],
];

/** Random numbers by Mulberry32: the same numbers for the same seed. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Makes a folder by the rules of a tool: links to files, links from pages (MkDocs), or links by name (wikis). */
export function makeFolder(seed: number): LinkedFolder {
  const below = numbersOf(seed);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const form = () => pick(["NFC", "NFD"] as const);
  const folders = ["docs", `docs/${pick(words)}`, `docs/${pick(words)} x`, `docs/deep/${pick(words)}y`];
  const documents = Array.from({ length: 4 + below(4) }, (_, index) =>
    index < 2 && below(3) === 0
      ? `${folders[index + 1]}/${pick(["index", "README"])}.md`
      : `${pick(folders)}/${pick(words)}-${index}.md`.normalize(form()),
  ).filter((path, index, all) => all.indexOf(path) === index);
  const images = [0, 1, 2].map((index) => `${pick(folders)}/img/${pick(words)} ${index}.png`.normalize(form()));
  const headings = new Map(documents.map((path) => [path, pick(titles)]));
  const links: WrittenLink[] = [];
  const files = new Map<string, string | Uint8Array>(
    images.map((path, index) => [path, Uint8Array.from([...png, index])]),
  );
  for (const from of documents) {
    const lines = [`## ${headings.get(from)?.[0] ?? ""}`];
    for (let count = 0; count < 6; count += 1) {
      const label = `L${links.length}x`;
      const { text, ...link } = writeLink(label, from, { documents, images, headings, below, pick, form });
      links.push({ label, from, ...link });
      // MkDocs recognizes an element only at the beginning of a line
      lines.push(text.startsWith("<") ? text : pick(["", "- ", "> ", "1. "]) + text);
    }
    files.set(from, `${lines.join("\n\n")}\n`);
  }
  return { files, links };
}

interface Making {
  documents: readonly string[];
  images: readonly string[];
  headings: ReadonlyMap<string, readonly [title: string, mkdocs: string, ours: string]>;
  below(most: number): number;
  pick<T>(all: readonly T[]): T;
  form(): "NFC" | "NFD";
}

function writeLink(
  label: string,
  from: string,
  making: Making,
): Omit<WrittenLink, "label" | "from"> & { text: string } {
  const { documents, images, headings, below, pick, form } = making;
  if (below(4) === 0) {
    const target = pick(images);
    const url = addressed(relativePath(from, target).normalize(form()), making);
    const text = pick([
      `![${label}](${url.written})`,
      `<figure markdown>\n  ![${label}](${url.written}){ width="200" }\n</figure>`,
    ]);
    return { text, url: url.plain, target, heading: "", kind: "image" };
  }
  if (below(8) === 0) {
    const url = `gone-${label}.md`;
    return { text: `[${label}](${url})`, url, target: null, heading: "", kind: "link" };
  }
  const target = pick(documents);
  const isHome = /(?:^|\/)(?:index|README)\.md$/.test(target);
  const [, mkdocs, ours] = headings.get(target) ?? ["", "", ""];
  const anchor = pick(["", `#${mkdocs}`, `#${encodeURIComponent(ours)}`]);
  const heading = anchor === "" ? "" : ours;
  const page = target.replace(/\.md$/, isHome ? "" : "/").replace(/(?:index|README)$/, "");
  const here = from.replace(/(?:index|README)?\.md$/, (name) => (name === ".md" ? "/" : ""));
  switch (below(5)) {
    case 0: {
      if (isHome) break;
      const name = target.slice(target.lastIndexOf("/") + 1, -3).normalize(form());
      return { text: `[[${name}|${label}]]`, url: `[[${name}]]`, target, heading: "", kind: "wiki" };
    }
    case 1: {
      if (target === from) break;
      // this leads from the address of the page to the address of a page
      const relative = `${relativePath(`${here}x`, `${page}x`).slice(0, -1)}` || "./";
      const url = addressed(relative.normalize(form()), making, anchor);
      return { text: `[${label}](${url.written})`, url: url.plain, target, heading, kind: "link" };
    }
    case 2: {
      if (isHome) break;
      const url = addressed(relativePath(from, target).replace(/md$/, "html"), making, anchor);
      return { text: `[${label}](${url.written})`, url: url.plain, target, heading, kind: "link" };
    }
    case 3: {
      const url = addressed(`/${target}`, making, anchor);
      return { text: `[${label}]\n\n[${label}]: ${url.written}`, url: url.plain, target, heading, kind: "link" };
    }
    default:
  }
  const url = addressed(relativePath(from, target).normalize(form()), making, anchor);
  return { text: `[${label}](${url.written})`, url: url.plain, target, heading, kind: "link" };
}

/** An address as texts write it: encoded, or between angle brackets. A percent sign in a name is always encoded. */
function addressed(path: string, { pick }: Making, anchor = ""): { written: string; plain: string } {
  const written = path.split("/").map(encoded).join("/") + anchor;
  if (pick([true, false]) || path.includes("%")) return { written, plain: written };
  return { written: `<${path}${anchor}>`, plain: path + anchor };
}

/** @returns each link or image of these folders that doesn't arrive, and each broken one without a note */
export async function linkFaults(from: number, to: number): Promise<string[]> {
  const faults: string[] = [];
  for (let seed = from; seed < to; seed += 1) {
    const folder = makeFolder(seed);
    const imported = await importFaults(folder);
    const all = [
      ...imported.faults,
      ...siteFaults(new Map([...folder.files].filter(isText)), folder.links, "site"),
      ...siteFaults(imported.texts, folder.links, "site of the import"),
    ];
    faults.push(...all.map((fault) => `seed ${seed}: ${fault}`));
  }
  return faults;
}

function isText(entry: [string, string | Uint8Array]): entry is [string, string] {
  return typeof entry[1] === "string";
}

async function importFaults({ files, links }: LinkedFolder): Promise<{ faults: string[]; texts: Map<string, string> }> {
  const sources = [...files].map(([path, data]) => ({
    path,
    read: () => (typeof data === "string" ? new TextEncoder().encode(data) : data),
  }));
  const { documents } = sortIntoDocuments(sources, "markdown");
  const converter = createConverter({ documents, tree: createSourceTree(sources), sha256 });
  for (const document of documents) await converter.examine(document);
  const faults: string[] = [];
  const texts = new Map<string, string>();
  for (const document of documents) {
    const prepared = await converter.convert(document);
    const notes = prepared.notes.map(({ message }) => message).join("\n");
    const linked = replaceDocumentLinks(prepared.text, prepared.links, (path) => `/to/${encoded(path)}`);
    const relative = replaceDocumentLinks(prepared.text, prepared.links, (path) =>
      relativePath(document.path, path).split("/").map(encoded).join("/"),
    );
    texts.set(document.path, relative);
    const places = placesIn(linked);
    for (const { label, url, target, heading, kind } of links.filter((link) => link.from === document.file.path)) {
      const place = places.get(label);
      const data = files.get(target ?? "");
      const expected =
        target === null
          ? url
          : kind === "image"
            ? `/api/assets/${sha256(data ?? "")}.png`
            : `/to/${encoded(target)}${heading === "" ? "" : `#${heading}`}`;
      if (decode(place ?? "") === decode(expected)) {
        if (target === null && !notes.includes(url)) faults.push(`${document.path}: ${url} leads nowhere, unnamed`);
      } else {
        faults.push(`${document.path}: ${kind} ${url} leads to ${place ?? "nothing"}, not to ${expected}`);
      }
    }
  }
  return { faults, texts };
}

/** The broken links between documents in the pages of a site. Only the import knows links of wikis. */
function siteFaults(texts: ReadonlyMap<string, string>, links: readonly WrittenLink[], where: string): string[] {
  const pages = [...texts].map(([path, text], index) => {
    const mapped = convertDialectsInText(text).text;
    const about = { headings: createHeadingLookup(mapped, text), mentions: relativeAddressesIn(mapped) };
    return { id: null, number: path, path: path.replace(/\.md$/, ""), name: `page-${index}`, ...about };
  });
  const nameOf = new Map(pages.map(({ path, name }) => [`${path}.md`, name]));
  const linksFrom = createLinkResolver(pages);
  return pages.flatMap((page) => {
    const path = `${page.path}.md`;
    const { body } = readMarkdownDocument({ path, text: texts.get(path) ?? "" });
    const { link, lost } = linksFrom(page);
    const places = new Map<string, { href: string; to: string | undefined }>();
    for (const [, href = "", label = ""] of renderHtml(body).matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>(L\d+x)</g)) {
      const plain = href.replaceAll("&#x26;", "&").replaceAll("&amp;", "&");
      places.set(label, { href: plain, to: link(plain) });
    }
    return links
      .filter(({ from, kind }) => from === path && kind !== "image" && (kind === "link" || where !== "site"))
      .flatMap(({ label, url, target, heading }) => {
        const place = places.get(label);
        const fragment = heading === "" ? "" : `#user-content-${heading}`;
        const expected = target === null ? undefined : `${nameOf.get(target) ?? "?"}.html${fragment}`;
        if (place !== undefined && decode(place.to ?? "") === decode(expected ?? "")) {
          return target === null && !lost.has(place.href) ? [`${where} ${path}: ${url} is dead, unnamed`] : [];
        }
        return [`${where} ${path}: ${url} leads to ${place?.to ?? place?.href ?? "no link"}, not to ${expected}`];
      });
  });
}

/** Label → its address. */
function placesIn(text: string): Map<string, string> {
  const places = new Map<string, string>();
  for (const [, label = "", pointed, bare] of text.matchAll(
    /\[(L\d+x)(?:\|\d+)?\](?:\(|:[ \t]+)(?:<([^<>\n]*)>|([^\s)]*))/g,
  ))
    if (!places.has(label)) places.set(label, pointed ?? bare ?? "");
  return places;
}

function encoded(part: string): string {
  return encodeURIComponent(part).replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text).normalize("NFC");
  } catch {
    return text;
  }
}
