import { boxes } from "./boxes.ts";
import type { Noted } from "./noted.ts";
import { child, isXml, make, valueOf, within, wordText, xmlText, type XmlElement } from "./xml-tree.ts";

/**
 * Replaces content controls (`w:sdt`): checkboxes become characters, and prompts of empty controls are removed. Values
 * already are text.
 */
export function showControls(root: XmlElement, noted: Noted): void {
  for (const control of within(root, ["w:sdt"])) {
    const properties = child(control, "w:sdtPr");
    const content = child(control, "w:sdtContent");
    if (properties === undefined || content === undefined) continue;
    const box = properties.children.find((node): node is XmlElement => isXml(node) && node.name.endsWith(":checkbox"));
    if (box !== undefined) showBox(box, control, content);
    else if (isPrompt(properties)) {
      noted.emptyFields.push(xmlText(content));
      for (const node of within(content, ["w:t", "w:sym", "w:drawing", "w:pict", "w:br"])) {
        Object.assign(node, make("w:t"));
      }
    }
  }
}

function isPrompt(properties: XmlElement): boolean {
  const mark = child(properties, "w:showingPlcHdr");
  return mark !== undefined && !/^(?:0|false|off)$/.test(valueOf(mark) ?? "");
}

function showBox(box: XmlElement, control: XmlElement, content: XmlElement): void {
  const state = box.children.find((node): node is XmlElement => isXml(node) && node.name.endsWith(":checked"));
  const [, value = "1"] = /:val="([^"]*)"/.exec(state?.attributes ?? "") ?? [];
  const sign = wordText(state !== undefined && !/^(?:0|false|off)$/.test(value) ? boxes.checked : boxes.open);
  const [first, ...others] = within(content, ["w:t", "w:sym"]);
  if (first !== undefined) {
    Object.assign(first, sign);
    for (const other of others) Object.assign(other, make("w:t"));
  } else {
    const [line] = within(content, ["w:p"]);
    (line ?? content).children.push(make("w:r", "", [sign]));
  }
  // the converter would make a checkbox element, which a line of text can't have
  Object.assign(control, make("w:customXml", "", [...content.children]));
}
