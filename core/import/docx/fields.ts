/** Reads form fields and other Word fields whose text is stored outside of the document's text. */
import { escapeBetweenTags } from "../../text/escape-html.ts";
import { checkboxCharacters } from "./boxes.ts";
import {
  childElement,
  isPropertyOn,
  isXmlElement,
  createXmlElement,
  attributeValueOf,
  descendantElements,
  wordTextElement,
  xmlText,
  type XmlElement,
} from "./xml-tree.ts";
import type { DocxLosses } from "./noted.ts";

interface DocxField {
  begin: XmlElement;
  /** The pieces of the field's instruction, which can be in several runs. */
  code: XmlElement[];
  /** The elements that separate and end the field. */
  marks: XmlElement[];
  /** The elements that Word shows: text, symbols and breaks. */
  result: XmlElement[];
  isInResult: boolean;
}

const shown = new Set(["w:t", "w:sym", "w:tab", "w:br", "w:cr", "w:noBreakHyphen"]);

/**
 * Writes the visible text of fields that the converter would lose: checkboxes, the chosen entry of a list, symbols,
 * repeated footnotes. Words of instructions and prompts of empty fields are removed.
 */
export function replaceFields(root: XmlElement, noted: DocxLosses): void {
  const notes = notesByBookmark(root);
  const open: DocxField[] = [];
  const visitNode = (node: XmlElement): void => {
    const field = open.at(-1);
    if (node.name === "w:fldChar") {
      const type = attributeValueOf(node, "w:fldCharType");
      if (type === "begin") open.push({ begin: node, code: [], marks: [], result: [], isInResult: false });
      else if (field !== undefined) {
        field.marks.push(node);
        if (type === "separate") field.isInResult = true;
        else if (type === "end") {
          open.pop();
          replaceFieldContent(field, notes, noted);
          // a nested field's text is part of the result of the field around it
          const around = open.at(-1);
          if (around !== undefined) around.result.push(field.begin, ...field.result);
          if (around !== undefined && !around.isInResult) [field.begin, ...field.result].forEach(emptyFieldElement);
        }
      }
    } else if (node.name === "w:instrText") field?.code.push(node);
    else if (field !== undefined && shown.has(node.name)) {
      if (field.isInResult) field.result.push(node);
      else emptyFieldElement(node);
    }
    for (const inner of node.children) if (isXmlElement(inner)) visitNode(inner);
  };
  visitNode(root);
}

/** Empties an element, so that it shows nothing. */
function emptyFieldElement(node: XmlElement): void {
  if (!shown.has(node.name)) return;
  replaceElementBy(node, createXmlElement("w:t"));
}

function replaceElementBy(node: XmlElement, other: XmlElement): void {
  Object.assign(node, other);
}

function replaceFieldContent(field: DocxField, notes: ReadonlyMap<string, XmlElement>, noted: DocxLosses): void {
  const code = field.code.map(xmlText).join("").trim();
  const [, name = ""] = /^\\?([A-Za-z]+|=)/.exec(code) ?? [];
  const words = field.result.map(xmlText).join("");
  /** Replaces the whole field by one element. */
  const replaceField = (other: XmlElement): void => {
    replaceElementBy(field.begin, other);
    for (const part of [...field.code, ...field.marks, ...field.result])
      replaceElementBy(part, createXmlElement("w:t"));
  };
  switch (name.toUpperCase()) {
    case "FORMCHECKBOX": {
      const [box] = descendantElements(field.begin, ["w:checkBox"]);
      const state = box && (childElement(box, "w:checked") ?? childElement(box, "w:default"));
      return replaceField(wordTextElement(isPropertyOn(state) ? checkboxCharacters.checked : checkboxCharacters.open));
    }
    case "FORMDROPDOWN": {
      const [list] = descendantElements(field.begin, ["w:ddList"]);
      const entries =
        list === undefined
          ? []
          : descendantElements(list, ["w:listEntry"]).map((entry) => attributeValueOf(entry) ?? "");
      const chosen = list && (childElement(list, "w:result") ?? childElement(list, "w:default"));
      return replaceField(wordTextElement(entries[Number(attributeValueOf(chosen) ?? 0)] ?? words));
    }
    case "FORMTEXT":
      if (words.trim() !== "") return;
      noted.emptyFields.push(formFieldNameOf(field.begin));
      return replaceField(createXmlElement("w:t"));
    case "HYPERLINK": {
      const [first, ...others] = field.code;
      if (first === undefined) return;
      first.children = [escapeBetweenTags(rewriteHyperlinkCode(code))];
      for (const other of others) other.children = [];
      return;
    }
    case "NOTEREF":
    case "FTNREF": {
      const note = notes.get(/^\S+\s+(\S+)/.exec(code)?.[1] ?? "");
      return note === undefined ? undefined : replaceField({ ...note });
    }
    case "SYMBOL": {
      const [, sign = "", rest = ""] = /^\S+\s+(\S+)([^]*)/.exec(code) ?? [];
      const font = /\\f\s+"?([^"\\]+)"?/i.exec(rest)?.[1]?.trim() ?? "Symbol";
      const point = Number(sign);
      if (words.trim() !== "" || !Number.isInteger(point) || point < 32) return;
      const hex = (point < 256 && !/\\u/i.test(rest) ? 0xf000 + point : point).toString(16).toUpperCase();
      return replaceField(
        createXmlElement("w:sym", `w:font="${font.replace(/["&<]/g, "")}" w:char="${hex.padStart(4, "0")}"`),
      );
    }
    case "EQ":
    case "MACROBUTTON":
    case "GOTOBUTTON":
    case "AUTONUM":
    case "AUTONUMLGL":
    case "AUTONUMOUT":
    case "LISTNUM":
      if (words.trim() === "") noted.fields.push(code.slice(0, 60));
  }
}

/** Returns the name of a form field; empty for a field without a name. */
function formFieldNameOf(begin: XmlElement): string {
  const [name] = descendantElements(begin, ["w:name"]);
  return attributeValueOf(name) ?? "";
}

/**
 * Rewrites a link as one address: `HYPERLINK "a" \l "b" \o "tip"` → `HYPERLINK "a#b"`. The converter would take all
 * text up to the last quote as the address.
 */
function rewriteHyperlinkCode(code: string): string {
  const parts = [...code.matchAll(/\\([a-z])(?:\s+(?:"([^"]*)"|([^\s"\\]\S*)))?|"([^"]*)"|(\S+)/gi)];
  const [, ...rest] = parts;
  const address = rest.find((part) => part[1] === undefined);
  const place = rest.find((part) => part[1]?.toLowerCase() === "l");
  const url = address?.[4] ?? address?.[5];
  const anchor = place?.[2] ?? place?.[3];
  if (url === undefined) return anchor === undefined ? code : `HYPERLINK \\l "${anchor}"`;
  return `HYPERLINK "${url}${anchor === undefined || url.includes("#") ? "" : `#${anchor}`}"`;
}

/** Returns the footnote or endnote inside each bookmark. */
function notesByBookmark(root: XmlElement): Map<string, XmlElement> {
  const notes = new Map<string, XmlElement>();
  const open = new Map<string, string>();
  for (const node of descendantElements(root, [
    "w:bookmarkStart",
    "w:bookmarkEnd",
    "w:footnoteReference",
    "w:endnoteReference",
  ])) {
    const id = attributeValueOf(node, "w:id") ?? "";
    if (node.name === "w:bookmarkStart") open.set(id, attributeValueOf(node, "w:name") ?? "");
    else if (node.name === "w:bookmarkEnd") open.delete(id);
    else for (const name of open.values()) if (!notes.has(name)) notes.set(name, node);
  }
  return notes;
}
