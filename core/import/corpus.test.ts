/**
 * Every Word and HTML file of the corpus. The source is counted independently of the converter and compared with the
 * resulting Markdown: numbers of steps, tables, pictures, links.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import type { Root as HtmlRoot } from "hast";
import type { Root } from "mdast";
import { describe, expect, test } from "vitest";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { createReport } from "#core/import/markdown/report.ts";
import { parseHtml } from "#core/markdown/html-tree.ts";
import { eachNode, parseMarkdown } from "#core/markdown/parse.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { bytesOf, corpusFiles, largeCorpus, smallCorpus, type CorpusFile } from "../../test/corpus.ts";
import { createConverter } from "./converter.ts";
import { readDocx } from "./docx/docx-file.ts";
import { descendantsNamed, textProperty, nodeText } from "#core/markdown/html/elements.ts";
import { readHtmlFile } from "./html/html-file.ts";
import { sortIntoDocuments } from "./layouts.ts";

interface Counts {
  tables: number;
  images: number;
  links: string[];
  headings: number;
  bullets: number;
  /** Counts of ordered steps, in the text's order. */
  numbers: number[];
}

/** What readers see of a Markdown file. */
function countsOf(text: string): Counts {
  const { body } = readMarkdownDocument({ path: "x.md", text });
  const root = parseHtml(renderHtml(body));
  const items = (list: string) =>
    descendantsNamed(root, list).map((node) => node.children.filter((child) => child.type === "element"));
  const ordered = descendantsNamed(root, "ol").flatMap((list) =>
    list.children
      .filter((child) => child.type === "element" && child.tagName === "li")
      .map((item, index) => ({ item, number: Number(list.properties["start"] ?? 1) + index })),
  );
  const order = new Map(descendantsNamed(root, "li").map((item, index) => [item as unknown, index]));
  const images = new Set<string>();
  eachNode(parseMarkdown(body) as Root, (node) => {
    if (node.type === "image") images.add(String(node.position?.start.offset));
  });
  return {
    tables: descendantsNamed(root, "table").length,
    images: images.size,
    links: descendantsNamed(root, "a").map((a) => textProperty(a, "href")),
    headings: ["h1", "h2", "h3", "h4", "h5", "h6"].flatMap((name) => descendantsNamed(root, name)).length,
    bullets: items("ul").flat().length,
    numbers: ordered
      .toSorted((a, b) => (order.get(a.item) ?? 0) - (order.get(b.item) ?? 0))
      .map(({ number }) => number),
  };
}

const attr = (tag: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1];

/**
 * Counts in a Word file's XML with regular expressions alone. Numbers follow a simple rule: one counter for each list
 * and level.
 */
function countDocx(bytes: Uint8Array): Omit<Counts, "headings"> {
  const parts = unzipSync(bytes);
  const text = (name: string) => new TextDecoder().decode(parts[name] ?? new Uint8Array());
  const xml = text("word/document.xml");
  const targets = new Map(
    [...text("word/_rels/document.xml.rels").matchAll(/<Relationship [^>]*>/g)].map(([tag]) => [
      attr(tag, "Id"),
      attr(tag, "Target"),
    ]),
  );
  const numbering = text("word/numbering.xml");
  const formats = new Map(
    [...numbering.matchAll(/<w:abstractNum [^]*?<\/w:abstractNum>/g)].map(([definition]) => [
      attr(definition, "w:abstractNumId"),
      [...definition.matchAll(/<w:lvl [^]*?<\/w:lvl>/g)].map(([level]) => ({
        format: attr(/<w:numFmt[^>]*>/.exec(level)?.[0] ?? "", "w:val"),
        start: Number(attr(/<w:start [^>]*>/.exec(level)?.[0] ?? "", "w:val") ?? 1),
      })),
    ]),
  );
  const lists = new Map(
    [...numbering.matchAll(/<w:num [^]*?<\/w:num>/g)].map(([list]) => [
      attr(list, "w:numId"),
      {
        definition: attr(/<w:abstractNumId[^>]*>/.exec(list)?.[0] ?? "", "w:val"),
        starts: [...list.matchAll(/<w:lvlOverride w:ilvl="(\d)">\s*<w:startOverride w:val="(\d+)"/g)].map(
          ([, at, start]) => [Number(at), Number(start)] as const,
        ),
      },
    ]),
  );
  const counts = new Map<string, number>();
  const started = new Set<string>();
  const numbers: number[] = [];
  let bullets = 0;
  for (const [, properties = "", words = ""] of xml.matchAll(/(<w:numPr>[^]*?<\/w:numPr>)([^]*?)<\/w:p>/g)) {
    const at = Number(attr(/<w:ilvl[^>]*>/.exec(properties)?.[0] ?? "", "w:val") ?? 0);
    const numId = attr(/<w:numId[^>]*>/.exec(properties)?.[0] ?? "", "w:val") ?? "0";
    const list = lists.get(numId);
    const level = formats.get(list?.definition)?.[at];
    if (list === undefined || level === undefined) continue;
    if (level.format === "bullet") {
      // a bullet without words doesn't count
      bullets += /<w:t[ >]|<w:drawing/.test(words) ? 1 : 0;
      continue;
    }
    const key = `${list.definition}:${at}`;
    const override = list.starts.find(([where]) => where === at)?.[1];
    if (override !== undefined && !started.has(`${numId}:${at}`)) counts.delete(key);
    started.add(`${numId}:${at}`);
    const number = (counts.get(key) ?? (override ?? level.start) - 1) + 1;
    counts.set(key, number);
    for (const other of counts.keys())
      if (other.startsWith(`${list.definition}:`) && Number(other.split(":")[1]) > at) counts.delete(other);
    numbers.push(number);
  }
  const shown = [...xml.matchAll(/<w:hyperlink ([^>]*)>([^]*?)<\/w:hyperlink>/g)].filter(([, , inside = ""]) =>
    /<w:t[ >]/.test(inside),
  );
  return {
    tables: xml.match(/<w:tbl>/g)?.length ?? 0,
    images: xml.match(/<a:blip /g)?.length ?? 0,
    links: shown.flatMap(([tag]) => targets.get(attr(tag, "r:id"))?.replaceAll("&amp;", "&") ?? []),
    bullets,
    numbers,
  };
}

describe("Word files of the corpus", () => {
  test.each(corpusFiles(".docx"))("$name keeps numbers, tables, images and links", async (file) => {
    const source = countDocx(bytesOf(file));
    const { text, images } = await readDocx(file.name, bytesOf(file), createReport(file.name));
    const { headings, links, ...counts } = countsOf(text);
    const { links: sourceLinks, ...rest } = source;
    expect(counts).toEqual(rest);
    expect(images.size).toBeGreaterThanOrEqual(source.images === 0 ? 0 : 1);
    expect(headings).toBeGreaterThan(0);
    // an address in plain text may become a link; every link of the source must remain
    const missing = sourceLinks.map(decode).filter((link) => !links.map(decode).includes(link));
    expect(missing).toEqual([]);
    expect(links.filter((link) => sourceLinks.map(decode).includes(decode(link))).length).toBeGreaterThanOrEqual(
      sourceLinks.length,
    );
  });
});

const decode = (url: string) => {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
};

function countHtml(root: HtmlRoot): Counts {
  const lists = descendantsNamed(root, "ol").map((list) => ({
    start: Number(list.properties["start"] ?? 1),
    items: list.children.filter((child) => child.type === "element" && child.tagName === "li"),
  }));
  const order = new Map(descendantsNamed(root, "li").map((item, index) => [item as unknown, index]));
  return {
    tables: descendantsNamed(root, "table").length,
    images: descendantsNamed(root, "img").length,
    links: descendantsNamed(root, "a").map((a) => textProperty(a, "href")),
    headings: ["h1", "h2", "h3", "h4", "h5", "h6"]
      .flatMap((name) => descendantsNamed(root, name))
      .filter((node) => nodeText(node).trim() !== "").length,
    bullets: descendantsNamed(root, "ul").flatMap((list) => list.children.filter((child) => child.type === "element"))
      .length,
    numbers: lists
      .flatMap(({ start, items }) => items.map((item, index) => ({ item, number: start + index })))
      .toSorted((a, b) => (order.get(a.item) ?? 0) - (order.get(b.item) ?? 0))
      .map(({ number }) => number),
  };
}

const isTemplate = (file: CorpusFile) => /\{%|---js/.test(new TextDecoder().decode(bytesOf(file)));

describe("HTML files of the corpus", () => {
  test.each(corpusFiles(".html").filter((file) => !isTemplate(file)))(
    "$name keeps numbers, tables, images and links",
    (file) => {
      const source = countHtml(parseHtml(new TextDecoder().decode(bytesOf(file))));
      const { text } = readHtmlFile(bytesOf(file), createReport(file.name));
      const { links, headings, ...counts } = countsOf(text);
      const { links: sourceLinks, headings: sourceHeadings, ...rest } = source;
      expect(counts).toEqual(rest);
      // the title doesn't belong to the text
      expect(headings).toBe(sourceHeadings - 1);
      expect(links.filter((link) => sourceLinks.map(decode).includes(decode(link))).length).toBeGreaterThanOrEqual(
        new Set(sourceLinks).size,
      );
      expect(sourceLinks.map(decode).filter((link) => !links.map(decode).includes(link))).toEqual([]);
    },
  );

  test.each(corpusFiles(".html").filter(isTemplate))(
    "$name, a template, keeps its tags or is refused with the reason",
    (file) => {
      const source = new TextDecoder().decode(bytesOf(file));
      const tags = (text: string) =>
        text.match(/\{\{[^]*?\}\}|\{%[^]*?%\}/g)?.map((tag) => tag.replace(/\s+/g, " ")) ?? [];
      try {
        const { text } = readHtmlFile(bytesOf(file), createReport(file.name));
        expect(tags(text)).toEqual(tags(source));
      } catch (error) {
        expect((error as Error).message).toContain('Front matter in "js" is not read');
        expect(source.startsWith("---js")).toBe(true);
      }
    },
  );
});

describe("Markdown trees of the corpus", () => {
  const trees = [
    { name: "the small corpus", folder: smallCorpus, least: { links: 3, pictures: 1, missing: 0 } },
    ...(largeCorpus === null
      ? []
      : [
          {
            name: "an incident handbook",
            folder: join(largeCorpus, "PagerDuty-incident-response-docs"),
            least: { links: 100, pictures: 10, missing: 50 },
          },
        ]),
  ];
  test.each(trees)("links of $name lead to pages, images are found or reported", async ({ folder, least }) => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.\w+$/.test(name))
      .map((name) => ({ path: name, read: () => new Uint8Array(readFileSync(join(folder, name))) }));
    const { documents } = sortIntoDocuments(files);
    const byPath = new Map(files.map((file) => [file.path, file]));
    const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest("hex");
    const converter = createConverter({
      documents,
      tree: { find: (path) => byPath.get(path), named: () => undefined },
      sha256,
    });
    for (const document of documents) await converter.examine(document);
    let [links, pictures, missing] = [0, 0, 0];
    for (const document of documents) {
      const prepared = await converter.convert(document);
      links += prepared.links.length;
      pictures += prepared.text.match(/\/api\/assets\/[0-9a-f]{64}/g)?.length ?? 0;
      for (const { code, message } of prepared.notes) {
        // one note names all that are missing
        if (code === "image") missing += Number(/^(\d+) images or files/.exec(message)?.[1] ?? 1);
      }
      for (const { start, end, path } of prepared.links) {
        expect(byPath.has(path)).toBe(true);
        expect(prepared.text.slice(start, end)).toMatch(/\S/);
      }
    }
    expect([links > least.links, pictures > least.pictures, missing > least.missing]).toEqual([true, true, true]);
  });
});
