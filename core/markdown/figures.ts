/** Turns images with a title into figures: `![Valve](… "Turn it slowly")` is an image with a caption. */
import type { Element, ElementContent, Root } from "hast";

/** Elements in which an image can be a separate block. In other elements, such as a link, its title stays a tooltip. */
const around = new Set(["li", "td", "th", "blockquote", "div", "details", "section"]);

/** unified plugin: turns each image with a title into a figure, and splits the paragraph around it. */
export function rehypeFigures(): (tree: Root) => void {
  return (tree) => placeFigures(tree);
}

function placeFigures(parent: Root | Element): void {
  const isBlock = parent.type === "root" || around.has(parent.tagName);
  parent.children = (parent.children as ElementContent[]).flatMap((node): ElementContent[] => {
    if (node.type !== "element") return [node];
    if (isBlock && isCaptioned(node)) return [figureElement(node)];
    if (node.tagName === "p") return splitAtCaptionedImages(node);
    placeFigures(node);
    return [node];
  });
}

function splitAtCaptionedImages(paragraph: Element): ElementContent[] {
  if (!paragraph.children.some(isCaptioned)) return [paragraph];
  const parts: Element[] = [];
  let line: ElementContent[] = [];
  const closeParagraph = () => {
    const children = withoutEnds(line);
    if (children.length > 0) parts.push({ ...paragraph, children });
    line = [];
  };
  for (const node of paragraph.children) {
    if (isCaptioned(node)) {
      closeParagraph();
      parts.push(figureElement(node));
    } else line.push(node);
  }
  closeParagraph();
  return parts;
}

/** Removes breaks and blank text at both ends of the nodes. */
function withoutEnds(nodes: readonly ElementContent[]): ElementContent[] {
  const isEmpty = (node: ElementContent) =>
    node.type === "text" ? node.value.trim() === "" : node.type === "element" && node.tagName === "br";
  const first = nodes.findIndex((node) => !isEmpty(node));
  return first < 0 ? [] : nodes.slice(first, nodes.findLastIndex((node) => !isEmpty(node)) + 1);
}

function isCaptioned(node: ElementContent): node is Element {
  return node.type === "element" && (node.tagName === "img" || node.tagName === "a") && imageCaptionOf(node) !== "";
}

/**
 * The caption of an image, or of a link that replaces an image. Such a link has the caption in another attribute,
 * because its title would be a tooltip.
 */
function imageCaptionOf({ tagName, properties }: Element): string {
  const title = tagName === "a" ? properties["dataCaption"] : properties["title"];
  return typeof title === "string" ? title.replace(/\s+/g, " ").trim() : "";
}

function figureElement(image: Element): Element {
  const { title: _title, dataCaption: _caption, ...properties } = image.properties;
  const caption: Element = {
    type: "element",
    tagName: "figcaption",
    properties: {},
    children: [{ type: "text", value: imageCaptionOf(image) }],
  };
  return { type: "element", tagName: "figure", properties: {}, children: [{ ...image, properties }, caption] };
}
