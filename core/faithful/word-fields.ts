import { isAddress } from "../markdown/html/seen-elements.ts";
import { symbolOf } from "./word-symbols.ts";
import { find, get, val, yes, type Node } from "./word-xml.ts";

export interface Field {
  code: string;
  begin: Node;
  isShown: boolean;
  shown: string;
  /** The index in the reading at which the field's link begins. */
  linkAt?: number;
}

/** The text that a field shows besides its result: a checkbox, the chosen entry of a list, a symbol. */
export function shownBy({ code, begin, shown }: Field): string {
  const [, name = ""] = /^\s*(\w+)/.exec(code) ?? [];
  switch (name.toUpperCase()) {
    case "FORMCHECKBOX": {
      const [box] = find(begin, "w:checkBox");
      return yes(get(box, "w:checked") ?? get(box, "w:default")) ? "☒" : "☐";
    }
    case "FORMDROPDOWN": {
      const [list] = find(begin, "w:ddList");
      const chosen = Number(val(get(list, "w:result") ?? get(list, "w:default")) ?? 0);
      return val(list === undefined ? undefined : find(list, "w:listEntry")[chosen]) ?? "";
    }
    case "SYMBOL": {
      const [, sign = "", font = "Symbol"] = /SYMBOL\s+(\d+)(?:.*?\\f\s+"?([^"\\]+))?/i.exec(code) ?? [];
      return sign === "" || shown.trim() !== "" ? "" : symbolOf(font.trim(), Number(sign).toString(16));
    }
    default:
      return "";
  }
}

/** Tells whether a link shows its own address as its text. */
export function isItsAddress(link: Node): boolean {
  const words = find(link, "w:t").map(({ text }) => text);
  return isAddress(words.join(""));
}
