import { isLinkAddress } from "../markdown/html/seen-elements.ts";
import { symbolCharacterOf } from "./word-symbols.ts";
import { findDescendants, childNamed, xmlAttribute, isPropertyOn, type WordXmlNode } from "./word-xml.ts";

export interface WordField {
  code: string;
  begin: WordXmlNode;
  isShown: boolean;
  shown: string;
  /** The index in the list of tokens at which the field's link begins. */
  linkAt?: number;
}

/** Returns the text that a field shows besides its result: a checkbox, the chosen entry of a list, or a symbol. */
export function textShownByField({ code, begin, shown }: WordField): string {
  const [, name = ""] = /^\s*(\w+)/.exec(code) ?? [];
  switch (name.toUpperCase()) {
    case "FORMCHECKBOX": {
      const [box] = findDescendants(begin, "w:checkBox");
      return isPropertyOn(childNamed(box, "w:checked") ?? childNamed(box, "w:default")) ? "☒" : "☐";
    }
    case "FORMDROPDOWN": {
      const [list] = findDescendants(begin, "w:ddList");
      const chosen = Number(xmlAttribute(childNamed(list, "w:result") ?? childNamed(list, "w:default")) ?? 0);
      return xmlAttribute(list === undefined ? undefined : findDescendants(list, "w:listEntry")[chosen]) ?? "";
    }
    case "SYMBOL": {
      const [, sign = "", font = "Symbol"] = /SYMBOL\s+(\d+)(?:.*?\\f\s+"?([^"\\]+))?/i.exec(code) ?? [];
      return sign === "" || shown.trim() !== "" ? "" : symbolCharacterOf(font.trim(), Number(sign).toString(16));
    }
    default:
      return "";
  }
}

/** Tells whether a link shows its own address as its text. */
export function hasAddressAsText(link: WordXmlNode): boolean {
  const words = findDescendants(link, "w:t").map(({ text }) => text);
  return isLinkAddress(words.join(""));
}
