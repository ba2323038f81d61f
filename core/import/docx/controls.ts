import { checkboxCharacters } from "./boxes.ts";
import type { DocxLosses } from "./noted.ts";
import {
  childElement,
  isXmlElement,
  createXmlElement,
  attributeValueOf,
  descendantElements,
  wordTextElement,
  xmlText,
  type XmlElement,
} from "./xml-tree.ts";

/**
 * Replaces content controls (`w:sdt`): checkboxes become characters, prompts of empty controls are removed, and values
 * stay as text.
 */
export function replaceControls(root: XmlElement, noted: DocxLosses): void {
  for (const control of descendantElements(root, ["w:sdt"])) {
    const properties = childElement(control, "w:sdtPr");
    const content = childElement(control, "w:sdtContent");
    if (properties === undefined || content === undefined) continue;
    const box = properties.children.find(
      (node): node is XmlElement => isXmlElement(node) && node.name.endsWith(":checkbox"),
    );
    if (box !== undefined) replaceCheckbox(box, control, content);
    else if (isPrompt(properties)) {
      noted.emptyFields.push(xmlText(content));
      for (const node of descendantElements(content, ["w:t", "w:sym", "w:drawing", "w:pict", "w:br"])) {
        Object.assign(node, createXmlElement("w:t"));
      }
    }
  }
}

function isPrompt(properties: XmlElement): boolean {
  const mark = childElement(properties, "w:showingPlcHdr");
  return mark !== undefined && !/^(?:0|false|off)$/.test(attributeValueOf(mark) ?? "");
}

function replaceCheckbox(box: XmlElement, control: XmlElement, content: XmlElement): void {
  const state = box.children.find((node): node is XmlElement => isXmlElement(node) && node.name.endsWith(":checked"));
  const [, value = "1"] = /:val="([^"]*)"/.exec(state?.attributes ?? "") ?? [];
  const sign = wordTextElement(
    state !== undefined && !/^(?:0|false|off)$/.test(value) ? checkboxCharacters.checked : checkboxCharacters.open,
  );
  const [first, ...others] = descendantElements(content, ["w:t", "w:sym"]);
  if (first !== undefined) {
    Object.assign(first, sign);
    for (const other of others) Object.assign(other, createXmlElement("w:t"));
  } else {
    const [line] = descendantElements(content, ["w:p"]);
    (line ?? content).children.push(createXmlElement("w:r", "", [sign]));
  }
  // replace the control, because the converter would write a checkbox element, which a line of text can't have
  Object.assign(control, createXmlElement("w:customXml", "", [...content.children]));
}
