/** Finds the words in text boxes, diagrams and charts, which the converter (mammoth) ignores or shows twice. */
import { escapeBetweenTags } from "../../text/escape-html.ts";
import { attributeOfTag, elementTextsOf, xmlTags, type XmlTag } from "./xml-tags.ts";

export interface FigureTexts {
  xml: string;
  textBoxes: number;
  /** The number of charts and diagrams whose words are in the text. */
  drawings: number;
}

const figures = new Set(["mc:AlternateContent", "w:drawing", "w:pict", "w:object"]);

/**
 * Moves the content of text boxes below the paragraph of their figure, and adds the words of charts and diagrams there.
 * If a figure is stored in a newer and an older form, the newer one counts if it has words, else the older one.
 * @param part returns the text of a part by the id of its relationship
 */
export async function moveFigureTextsBelow(
  documentXml: string,
  part: (id: string) => Promise<string>,
): Promise<FigureTexts> {
  const lifted: FigureTexts = { xml: documentXml, textBoxes: 0, drawings: 0 };
  const out: string[] = [];
  let done = 0;
  /** The XML to insert below each paragraph that is not closed yet. */
  const open: string[][] = [];
  let outermost: { name: string; start: number; depth: number } | undefined;
  for (const tag of xmlTags(documentXml)) {
    if (outermost !== undefined) {
      if (tag.name !== outermost.name) continue;
      if (tag.kind === "start") outermost.depth += 1;
      if (tag.kind === "end") outermost.depth -= 1;
      if (tag.kind !== "end" || outermost.depth > 0) continue;
      const { kept, below } = await splitWordFigure(documentXml.slice(outermost.start, tag.end), part, lifted);
      out.push(documentXml.slice(done, outermost.start), kept);
      const host = open.at(-1);
      if (host === undefined) out.push(below);
      else host.push(below);
      done = tag.end;
      outermost = undefined;
    } else if (tag.kind === "start" && figures.has(tag.name)) {
      outermost = { name: tag.name, start: tag.start, depth: 1 };
    } else if (tag.name === "w:p" && tag.kind === "start") open.push([]);
    else if (tag.name === "w:p" && tag.kind === "end") {
      out.push(documentXml.slice(done, tag.end), ...(open.pop() ?? []));
      done = tag.end;
    }
  }
  return { ...lifted, xml: out.join("") + documentXml.slice(done) };
}

interface SplitFigure {
  /** The XML that stays in place: images, and text outside of boxes. */
  kept: string;
  /** The paragraphs and tables to insert below. */
  below: string;
}

async function splitWordFigure(
  xml: string,
  part: (id: string) => Promise<string>,
  lifted: FigureTexts,
): Promise<SplitFigure> {
  const [newer, older] = alternateBranchesOf(xml);
  const shown = newer === undefined || hasFigureWords(newer) || older === undefined ? (newer ?? xml) : older;
  const below: string[] = [];
  for (const { name, tag, inside } of wordyElementsIn(shown)) {
    if (name === "w:txbxContent") {
      // a text box can contain further figures
      const inner = await moveFigureTextsBelow(inside, part);
      lifted.textBoxes += 1 + inner.textBoxes;
      lifted.drawings += inner.drawings;
      below.push(inner.xml);
    } else if (name === "a:p") below.push(paragraphXml(elementTextsOf(inside, "a:t").join("")));
    else {
      const id = attributeOfTag(tag, name === "c:chart" ? "r:id" : "r:dm");
      const words = id === undefined ? [] : wordsOfPart(await part(id));
      if (words.length > 0) lifted.drawings += 1;
      below.push(paragraphXml(words.join(" · ")));
    }
  }
  return { kept: withoutTextBoxes(keptFigureXml(xml, newer, older)), below: below.join("") };
}

/** Returns the newer and the older form of a figure in `mc:AlternateContent`; undefined for another figure. */
function alternateBranchesOf(xml: string): [newer: string | undefined, older: string | undefined] {
  if (!xml.startsWith("<mc:AlternateContent")) return [undefined, undefined];
  const parts = rootChildrenOf(xml);
  const contentOfPart = (name: string) => parts.find((part) => part.name === name)?.inside;
  return [contentOfPart("mc:Choice"), contentOfPart("mc:Fallback")];
}

/**
 * Returns the XML of a figure that stays in its paragraph. The converter reads only the older form, so the newer form
 * replaces an older one that shows nothing.
 */
function keptFigureXml(xml: string, newer: string | undefined, older: string | undefined): string {
  if (newer === undefined || (older !== undefined && /<v:imagedata\b|<w:t[ >]|<a:blip\b/.test(older))) return xml;
  return newer;
}

const hasFigureWords = (xml: string): boolean => /<w:txbxContent\b|<a:t[ >]|<c:chart\b|<dgm:relIds\b/.test(xml);

const wordy = new Set(["w:txbxContent", "a:p", "c:chart", "dgm:relIds"]);

interface DrawingPiece {
  name: string;
  tag: XmlTag;
  inside: string;
}

/** Returns the outermost elements that contain words or refer to them, in order. */
function wordyElementsIn(xml: string): DrawingPiece[] {
  return outermostElements(xml, (tag) => wordy.has(tag.name));
}

/** Returns the elements directly below the root. */
function rootChildrenOf(xml: string): DrawingPiece[] {
  const root = /^<[^>]*>/.exec(xml)?.[0].length ?? 0;
  return outermostElements(xml.slice(root, xml.lastIndexOf("<")), () => true);
}

function outermostElements(xml: string, fits: (tag: XmlTag) => boolean): DrawingPiece[] {
  const found: DrawingPiece[] = [];
  let current: { tag: XmlTag; depth: number } | undefined;
  for (const tag of xmlTags(xml)) {
    if (current === undefined) {
      if (tag.kind === "end" || !fits(tag)) continue;
      if (tag.kind === "empty") found.push({ name: tag.name, tag, inside: "" });
      else current = { tag, depth: 1 };
    } else if (tag.name === current.tag.name && tag.kind !== "empty") {
      current.depth += tag.kind === "start" ? 1 : -1;
      if (current.depth > 0) continue;
      found.push({ name: tag.name, tag: current.tag, inside: xml.slice(current.tag.end, tag.start) });
      current = undefined;
    }
  }
  return found;
}

/** Returns a figure without its text boxes, whose content was moved below it. */
function withoutTextBoxes(xml: string): string {
  const parts: string[] = [];
  let [done, depth] = [0, 0];
  for (const { name, kind, start, end } of xmlTags(xml)) {
    if (name !== "w:txbxContent" || kind === "empty") continue;
    if (kind === "start" && depth === 0) parts.push(xml.slice(done, end));
    depth += kind === "start" ? 1 : -1;
    if (kind === "end" && depth === 0) done = start;
  }
  return parts.join("") + xml.slice(done);
}

/**
 * Returns the words of a chart or diagram: title and names of a chart, each once, or the words in a diagram's boxes.
 */
function wordsOfPart(xml: string): string[] {
  const paragraphs = outermostElements(xml, ({ name }) => name === "a:p").map(({ inside }) =>
    elementTextsOf(inside, "a:t").join(""),
  );
  const caches = outermostElements(xml, ({ name }) => name === "c:strCache").map(({ inside }) =>
    elementTextsOf(inside, "c:v"),
  );
  const names = new Map(caches.map((words) => [words.join("\0"), words]));
  return [...paragraphs, ...[...names.values()].flat()].map((text) => text.trim()).filter((text) => text !== "");
}

function paragraphXml(text: string): string {
  if (text.trim() === "") return "";
  return `<w:p><w:r><w:t xml:space="preserve">${escapeBetweenTags(text)}</w:t></w:r></w:p>`;
}

/** Returns the paths of the parts to which a document refers, by the ids of their relationships. */
export function partPathsById(relationshipsXml: string): Map<string, string> {
  const paths = new Map<string, string>();
  for (const tag of xmlTags(relationshipsXml)) {
    if (tag.name !== "Relationship" || tag.kind === "end") continue;
    const [id, target] = [attributeOfTag(tag, "Id"), attributeOfTag(tag, "Target")];
    if (id === undefined || target === undefined || attributeOfTag(tag, "TargetMode") === "External") continue;
    paths.set(id, target.startsWith("/") ? target.slice(1) : `word/${target}`);
  }
  return paths;
}
