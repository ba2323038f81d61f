import type { DocxLosses } from "./noted.ts";
import { attributeValueOf, descendantElements, type XmlElement } from "./xml-tree.ts";
import { attributeOfTag, xmlTags } from "./xml-tags.ts";

/** The ids that references in a part can point to. */
export interface ReferenceTargets {
  footnotes: ReadonlySet<string>;
  endnotes: ReadonlySet<string>;
  /** The ids of relationships. */
  relationships: ReadonlySet<string>;
}

/** Returns the values of the attribute `key` of all elements with this name. */
export function idsOfElements(xml: string, name: string, key = "w:id"): Set<string> {
  const ids = [...xmlTags(xml)].map((tag) => (tag.name === name ? attributeOfTag(tag, key) : undefined));
  return new Set(ids.filter((id) => id !== undefined));
}

/**
 * Removes references to missing footnotes and relationships, because mammoth would fail on them. The text of a link
 * stays.
 */
export function removeDanglingReferences(root: XmlElement, targets: ReferenceTargets, noted: DocxLosses): void {
  for (const kind of ["footnote", "endnote"] as const) {
    for (const mark of descendantElements(root, [`w:${kind}Reference`])) {
      if (targets[`${kind}s`].has(attributeValueOf(mark, "w:id") ?? "")) continue;
      noted.lostNotes.push(kind);
      Object.assign(mark, { name: "w:t", attributes: "", children: [] });
    }
  }
  for (const link of descendantElements(root, ["w:hyperlink"])) {
    const id = attributeValueOf(link, "r:id");
    if (id === undefined || targets.relationships.has(id)) continue;
    noted.lostLinks += 1;
    Object.assign(link, { name: "w:smartTag", attributes: "" });
  }
}
