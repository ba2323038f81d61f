import type { Root } from "hast";
import { elementsOf, hasClass, isElement, textOf } from "#core/markdown/html/elements.ts";

const mark = "sop-control";
const descriptionClass = "sop-description";

/**
 * The styles of the control block on the first page of this program's Word files (core/export/docx); empty for other
 * files.
 */
export function controlBlockStyles(stylesXml: string): string[] {
  const isOurs = ["DocumentNumber", "ControlName", "ControlValue"].every((id) =>
    stylesXml.includes(`w:styleId="${id}"`),
  );
  if (!isOurs) return [];
  return [
    `p[style-name='Document Number'] => p.${mark}:fresh`,
    `p[style-name='Control Name'] => p.${mark}:fresh`,
    `p[style-name='Control Value'] => p.${mark}:fresh`,
    `p[style-name='Description'] => p.${descriptionClass}:fresh`,
  ];
}

/** Removes the control block from the beginning of the text. @returns the description in the block */
export function takeControlBlock(root: Root): string | undefined {
  const kept: Root["children"] = [];
  let description: string | undefined;
  let at = 0;
  for (const node of root.children) {
    if (isElement(node, "p") && hasClass(node, descriptionClass))
      description = textOf(node).replace(/\s+/g, " ").trim();
    else if (isElement(node, "h1") && hasClass(node, "title")) kept.push(node);
    else if (!isControl(node)) break;
    at += 1;
  }
  root.children = [...kept, ...root.children.slice(at)];
  return description || undefined;
}

function isControl(node: Root["children"][number]): boolean {
  if (node.type !== "element") return false;
  return hasClass(node, mark) || elementsOf(node, "p").some((inner) => hasClass(inner, mark));
}
