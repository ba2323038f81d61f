import type { Root } from "hast";
import mammoth from "mammoth";
import { titleFromFileName } from "#core/import/markdown/titles.ts";
import type { ConversionReport } from "#core/import/markdown/report.ts";
import { texts } from "./note-texts.ts";
import { AppError } from "#core/errors.ts";
import { notesOfChanges, differencesOfReadings, type ConversionChange } from "#core/faithful/compare.ts";
import { readingOfHtml } from "#core/markdown/html/reading.ts";
import { readWord } from "#core/faithful/word.ts";
import { addExtras, splitFrontMatter, type FrontMatter } from "#core/markdown/front-matter.ts";
import { parseHtml } from "#core/markdown/html-tree.ts";
import { renderWithTree } from "#core/markdown/render.ts";
import { renameHeadingLinks } from "../html/anchors.ts";
import { eachElement, hasClass, isElement, nodeText, descendantsNamed } from "#core/markdown/html/elements.ts";
import type { ConvertedText } from "../converted.ts";
import { hasSingleTopHeading, removeWordlessHeadings } from "../html/tidy-headings.ts";
import { detectLanguage } from "#core/text/detect-language.ts";
import { writeMarkdownDocument } from "../html/html-text.ts";
import { xmlAsShownByWord, isReadFromRight, wordsInDocumentPart } from "./as-shown.ts";
import { idsOfElements } from "./dangling.ts";
import { moveFigureTextsBelow, partPathsById, type FigureTexts } from "./figure-texts.ts";
import { withParagraphMarks, unmarked } from "./mark-paragraphs.ts";
import { withAddedLists } from "./nesting.ts";
import { emptyDocxLosses, reportDocxLosses, type DocxLosses } from "./noted.ts";
import { ownStyles, rebuildOwnBlocks } from "./own-blocks.ts";
import { withOwnBlockMarks } from "./own-marks.ts";
import { openWord, type WordPackage } from "./package.ts";
import { withReadableTags } from "./readable-tags.ts";
import { restoreWordNumbers } from "./repair-lists.ts";
import { convertFootnotes } from "./footnotes.ts";
import { codeStyles, emptyLine, readStyleBook } from "./styles.ts";
import { elementTextsOf, xmlTags } from "./xml-tags.ts";
import { refusals } from "./refusals.ts";

const controlClass = "sop-control";
const descriptionClass = "sop-description";

interface HeaderFacts {
  number?: string;
  revision?: string;
  effective?: string;
}

const numberLabel =
  /\b(?:(?:document|doc|sop|procedure|policy|form)\.?[ \t]*(?:no|nr|num|number|id|#)\b\.?|(?:document|doc|sop|procedure)(?=[ \t]*:))[ \t]*[:#.]?[ \t]*([A-Z]{1,8}[-_/ ]?\d[\w./-]*|\d[\w./-]*)/i;
const bareNumber = /\b([A-Z]{2,6}[-_]\d{2,}(?:[-.]\w+)*)\b/;
const revisionLabel =
  /\b(?:revision|rev|version|ver|issue)\b\.?[ \t]*(?:no|nr|number|#)?\.?[ \t]*[:#]?[ \t]*(\d+(?:\.\d+)*|[A-Z])\b/i;
const effectiveLabel = /\b(?:effective|valid)(?:[ \t]+(?:date|from))?[ \t]*[:]?[ \t]*(\d{4}-\d\d-\d\d)\b/i;

const styleMap = [
  "strike => del",
  "p[style-name='Title'] => h1.title:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='heading 7'] => h6:fresh",
  "p[style-name='heading 8'] => h6:fresh",
  "p[style-name='heading 9'] => h6:fresh",
  "p[style-name='TOC Heading'] => !",
  "p[style-name^='toc '] => !",
  "p[style-name^='TOC '] => !",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  "p[style-name='Block Text'] => blockquote > p:fresh",
  "p[style-name='Quotations'] => blockquote > p:fresh",
  ...codeStyles.map((name) => `p[style-name='${name}'] => pre:separator('\\n')`),
  "r[style-name='Verbatim Char'] => code",
  "r[style-name='HTML Code'] => code",
  "r[style-name='Code'] => code",
  "r[style-name='Inline Code'] => code",
  // map the deeper headings here, because mammoth's own style map ends at the fifth level
  ...[6, 7, 8, 9].flatMap((level) => {
    const around = "ul|ol > li > ".repeat(level - 1);
    return [
      `p:unordered-list(${level}) => ${around}ul > li:fresh`,
      `p:ordered-list(${level}) => ${around}ol > li:fresh`,
    ];
  }),
];

/**
 * Converts a Word file to Markdown: list numbers as in Word, tracked changes accepted, images as separate files, and
 * number and revision from the page header in the front matter.
 * @throws AppError with a sentence that continues after the file's name
 */
export async function readDocx(path: string, bytes: Uint8Array, report: ConversionReport): Promise<ConvertedText> {
  const word = await openWord(bytes);
  const relationships = await word.text("word/_rels/document.xml.rels");
  const paths = partPathsById(relationships);
  const partOf = async (id: string) => await word.text(paths.get(id) ?? "");
  const document = await word.text("word/document.xml");
  const source = withReadableTags(document);
  const lifted = await moveFigureTextsBelow(source, partOf);
  const stylesXml = await word.text("word/styles.xml");
  const numbering = await word.text("word/numbering.xml");
  const notes = { footnotes: await word.text("word/footnotes.xml"), endnotes: await word.text("word/endnotes.xml") };
  const ids = {
    footnotes: idsOfElements(notes.footnotes, "w:footnote"),
    endnotes: idsOfElements(notes.endnotes, "w:endnote"),
  };
  const targetsOf = (rels: string) => ({ ...ids, relationships: idsOfElements(rels, "Relationship", "Id") });
  const noted = emptyDocxLosses();
  const control = controlBlockStyles(stylesXml);
  const isOwn = control.length > 0;
  const read = readUnlessNestedTooDeeply(() => {
    const words = wordsInDocumentPart(lifted.xml);
    const lang = detectLanguage(words);
    const styles = readStyleBook(stylesXml);
    // files exported by this program have their columns in the order of the text, so no table is mirrored
    const fromRight = isOwn ? undefined : isReadFromRight(words, lang);
    const showPart = (xml: string, rels: string) =>
      xmlAsShownByWord(xml, { styles, fromRight, targets: targetsOf(rels) }, noted);
    const markPart = (xml: string) =>
      isOwn
        ? { ...unmarked, xml: withOwnBlockMarks(xml, { numbering, styles: stylesXml }) }
        : withParagraphMarks(xml, { numbering, styles: stylesXml });
    return { show: showPart, mark: markPart, marked: markPart(showPart(lifted.xml, relationships)), fromRight };
  });
  const { marked } = read;
  reportDocxChanges(lifted.xml, marked, report);
  reportFigures(lifted, report);
  const images = new Map<string, Uint8Array>();
  const styles = [...control, ...(isOwn ? ownStyles : []), ...styleMap];
  const parts: Record<string, string> = { "word/document.xml": marked.xml };
  if (numbering !== "") parts["word/numbering.xml"] = withAddedLists(numbering);
  for (const name of ["footnotes", "endnotes"] as const) {
    const xml = withReadableTags(notes[name]);
    const rels = await word.text(`word/_rels/${name}.xml.rels`);
    parts[`word/${name}.xml`] = readUnlessNestedTooDeeply(() => read.mark(read.show(xml, rels)).xml);
  }
  reportDocxLosses(noted, report);
  const { value, messages } = await docxToHtml(await word.repacked(parts), styles, images);
  const root = parseHtml(value.replaceAll(emptyLine, ""));
  const described = removeControlBlock(root);
  if (isOwn) rebuildOwnBlocks(root);
  else restoreWordNumbers(root);
  convertFootnotes(root);
  removeUnshowableImages(root, report);
  removeWordlessHeadings(root);
  const front = await wordFrontMatterOf(word, root, path, report);
  if (described !== undefined) front.description = described;
  renameHeadingLinks(root);
  reportUnknownStyles(messages, report);
  const converted = writeMarkdownDocument(root, front, images, report, false);
  const seen = readUnlessNestedTooDeeply(() => {
    const parts = { document, styles: stylesXml, numbering };
    const { footnotes, endnotes } = notes;
    const options = { own: isOwn, ...(read.fromRight !== undefined && { fromRight: read.fromRight }) };
    return readWord({ ...parts, footnotes, endnotes }, options).seen;
  });
  const body = splitFrontMatter(converted.text).body.replaceAll(/embedded-\d+\.\w+/g, anyImage);
  const changes = differencesOfReadings(seen, readingOfHtml(renderWithTree(body).tree(), { addresses: false }));
  for (const note of notesOfChanges(changes.filter((one) => !isAlreadyNoted(one, noted))))
    report.add(note.code, note.sentence);
  return converted;
}

/** A placeholder address for images, because views show only stored images. */
const anyImage = `/api/assets/${"0".repeat(64)}.png`;

/**
 * Tells whether a change needs no note: another note already names its words, or the words are in a symbol font that
 * only mammoth knows.
 */
function isAlreadyNoted({ kind, before, after }: ConversionChange, noted: DocxLosses): boolean {
  if (/[\uE000-\uF8FF]/.test(before)) return true;
  if (kind === "link" && after === "") return noted.lostLinks > 0;
  if (kind !== "words" && kind !== "spaces") return false;
  const comparableText = (text: string) => text.replace(/[\s^_/()…]/g, "");
  const named = comparableText([...noted.hidden, ...noted.emptyFields, ...noted.covered, ...noted.formulas].join(" "));
  const [was, is] = [comparableText(before), comparableText(after)];
  return was + is !== "" && named.includes(was) && named.includes(is);
}

/** Runs a parser, and replaces its RangeError for parts that are nested too deeply. @throws AppError `unprocessable` */
function readUnlessNestedTooDeeply<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", refusals.nestedTooDeeply());
    throw error;
  }
}

async function docxToHtml(bytes: Uint8Array, styles: readonly string[], images: Map<string, Uint8Array>) {
  const convertImage = mammoth.images.imgElement(async (image) => {
    const extension = image.contentType.split("/")[1]?.replace(/[^a-z0-9]/g, "") ?? "bin";
    const name = `embedded-${images.size + 1}.${extension}`;
    images.set(name, new Uint8Array(await image.readAsArrayBuffer()));
    return { src: name };
  });
  // pass both keys, because mammoth reads one of them, depending on its build
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const input = { arrayBuffer: buffer, buffer };
  try {
    return await mammoth.convertToHtml(input, {
      styleMap: [...styles],
      convertImage,
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
    });
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", refusals.nestedTooDeeply());
    throw new AppError("invalid_input", refusals.unreadable());
  }
}

function reportDocxChanges(xml: string, marked: ReturnType<typeof withParagraphMarks>, report: ConversionReport): void {
  const counts = new Map<string, number>();
  for (const { name, kind } of xmlTags(xml)) if (kind !== "end") counts.set(name, (counts.get(name) ?? 0) + 1);
  const countOf = (...names: string[]) => names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  const changes = countOf("w:ins", "w:del", "w:moveFrom", "w:moveTo");
  if (changes > 0) report.add("tracked-changes", texts.trackedChanges({ count: changes }));
  const comments = countOf("w:commentReference");
  if (comments > 0) report.add("comments", texts.comments({ count: comments }));
  if (marked.lettered > 0) {
    report.add("lettered-steps", texts.letters({ count: marked.lettered }));
  }
  if (marked.marks.length > 0) {
    const marks = [...new Set(marked.marks)].slice(0, 5).map((mark) => `"${mark}"`);
    const more = marked.marks.length > marks.length ? " …" : "";
    report.add("list-numbers", texts.marks({ count: marked.marks.length, marks: marks.join(", ") + more }));
  }
  if (marked.numberedHeadings > 0) {
    report.add("headings", texts.headingNumbers({ count: marked.numberedHeadings }));
  }
  if (/<w:instrText[^>]*>\s*TOC\b/.test(xml)) {
    report.add("left-out", texts.contents());
  }
}

function reportFigures({ textBoxes, drawings }: FigureTexts, report: ConversionReport): void {
  if (textBoxes > 0) report.add("figures", texts.textBoxes({ count: textBoxes }));
  if (drawings > 0) {
    report.add("left-out", texts.drawings({ count: drawings }));
  }
}

function reportUnknownStyles(messages: readonly { message: string }[], report: ConversionReport): void {
  const styles = new Set(
    messages.flatMap(({ message }) => /^Unrecognised paragraph style: '?([^']*)'?/.exec(message)?.[1] ?? []),
  );
  const plain = [...styles].filter(
    (style) => !/^(list paragraph|table text|table head|compact|body text|first paragraph|no spacing)/i.test(style),
  );
  if (plain.length > 0) report.add("styles", texts.styles({ styles: plain.join(", ") }));
  const fonts = messages.flatMap(({ message }) => /^A w:sym element .* in font (.*)$/.exec(message)?.[1] ?? []);
  if (fonts.length > 0) {
    report.add("left-out", texts.fonts({ fonts: [...new Set(fonts)].join(", ") }));
  }
}

/** Replaces images in formats that browsers can't show, such as EMF, by their alternative text. */
function removeUnshowableImages(root: Root, report: ConversionReport): void {
  eachElement(root, (node, parent, index) => {
    const src = node.properties["src"];
    if (node.tagName !== "img" || typeof src !== "string" || !/\.(x-?emf|emf|x-?wmf|wmf|tiff|bmp)$/.test(src)) return;
    const alt = typeof node.properties["alt"] === "string" ? node.properties["alt"] : "";
    report.add("image", alt === "" ? texts.image() : texts.namedImage({ alt }));
    parent.children.splice(index, 1, { type: "text", value: alt });
  });
}

async function wordFrontMatterOf(
  word: WordPackage,
  root: Root,
  path: string,
  report: ConversionReport,
): Promise<FrontMatter> {
  const properties = await word.text("docProps/core.xml");
  const propertyText = (name: string) => elementTextsOf(properties, name)[0]?.trim();
  const front: FrontMatter = {};
  const title =
    removeTitle(root) ?? (hasSingleTopHeading(root) ? undefined : propertyText("dc:title") || titleFromFileName(path));
  if (title !== undefined) front.title = title;
  const description = propertyText("dc:description");
  if (description) front.description = description;
  const parts = ["header", "footer"].flatMap((kind) =>
    word.names.filter((name) => name.startsWith(`word/${kind}`) && name.endsWith(".xml")).toSorted(),
  );
  const facts = factsInPageHeaders(await Promise.all(parts.map((name) => word.text(name))));
  const extras: [string, unknown][] = [];
  if (facts.number !== undefined) extras.push(["document-number", facts.number]);
  if (facts.revision !== undefined) extras.push(["document-revision", facts.revision]);
  addExtras(front, extras);
  if (facts.effective !== undefined) front.effective = facts.effective;
  if (extras.length > 0) {
    const found = extras.map(([key, value]) => `${key} ${String(value)}`).join(", ");
    report.add("front-matter", texts.header({ found }));
  }
  return front;
}

/**
 * Removes the first paragraph with the style Title from the tree. @returns the words of this paragraph; undefined
 * without one. In a file without this style, headings of level 1 are chapters, and none is the title.
 */
function removeTitle(root: Root): string | undefined {
  const index = root.children.findIndex((node) => isElement(node, "h1") && hasClass(node, "title"));
  const heading = root.children[index];
  if (heading === undefined) return undefined;
  root.children.splice(index, 1);
  return nodeText(heading).replace(/\s+/g, " ").trim();
}

/**
 * Reads number, revision and effective date from page headers and footers, because many files have these facts only
 * there.
 */
function factsInPageHeaders(parts: readonly string[]): HeaderFacts {
  // put line breaks after cells and paragraphs, so that a label isn't combined with the text of another cell
  const text = parts
    .map((xml) => elementTextsOf(xml.replace(/<\/w:p>|<w:tab\/>/g, "<w:t>\n</w:t>"), "w:t").join(""))
    .join("\n")
    .replace(/:\s*\n+\s*/g, ": ")
    .replace(/[ \t\u00a0]+/g, " ");
  const number = numberLabel.exec(text)?.[1] ?? bareNumber.exec(text)?.[1];
  const revision = revisionLabel.exec(text)?.[1];
  const effective = effectiveLabel.exec(text)?.[1];
  return {
    ...(number !== undefined && { number: number.trim() }),
    ...(revision !== undefined && { revision }),
    ...(effective !== undefined && { effective }),
  };
}

/**
 * Returns the styles of the control block in Word files that this program exported (core/export/docx); empty for other
 * files.
 */
function controlBlockStyles(stylesXml: string): string[] {
  const isOurs = ["DocumentNumber", "ControlName", "ControlValue"].every((id) =>
    stylesXml.includes(`w:styleId="${id}"`),
  );
  if (!isOurs) return [];
  return [
    `p[style-name='Document Number'] => p.${controlClass}:fresh`,
    `p[style-name='Control Name'] => p.${controlClass}:fresh`,
    `p[style-name='Control Value'] => p.${controlClass}:fresh`,
    `p[style-name='Description'] => p.${descriptionClass}:fresh`,
  ];
}

/** Removes the control block from the beginning of the text. @returns the description in the block */
function removeControlBlock(root: Root): string | undefined {
  const kept: Root["children"] = [];
  let description: string | undefined;
  let at = 0;
  for (const node of root.children) {
    if (isElement(node, "p") && hasClass(node, descriptionClass))
      description = nodeText(node).replace(/\s+/g, " ").trim();
    else if (isElement(node, "h1") && hasClass(node, "title")) kept.push(node);
    else if (!isPartOfControlBlock(node)) break;
    at += 1;
  }
  root.children = [...kept, ...root.children.slice(at)];
  return description || undefined;
}

function isPartOfControlBlock(node: Root["children"][number]): boolean {
  if (node.type !== "element") return false;
  return hasClass(node, controlClass) || descendantsNamed(node, "p").some((inner) => hasClass(inner, controlClass));
}
