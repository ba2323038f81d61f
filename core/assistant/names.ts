/**
 * Finds the roles and equipment that a text names. It reads line by line without a parser, because one request can read
 * thousands of texts.
 */
import { readNumber } from "#core/numbers/numbers.ts";
import { searchableText } from "#core/search/columns.ts";
import { foldWord } from "#core/text/fold.ts";
import { mainTopicsOf } from "./similar.ts";
import { percentDecoded } from "#core/text/percent-decoded.ts";

/** An SOP that a text refers to. */
export interface Reference {
  /** The title of the SOP as the text writes it. */
  title: string;
  /**
   * The target of the link: `id` for a number or id. Null for an SOP that is named by its title alone: SOP _Recall
   * product_.
   */
  target: { kind: "id"; id: string } | { kind: "file"; name: string } | null;
}

export interface TextNames {
  /** The words that the text uses most. */
  topics: ReadonlyMap<string, number>;
  roles: string[];
  equipment: string[];
  references: Reference[];
}

const fence = /^\s*(?:```|~~~)/;
const heading = /^#{1,6}\s+(.+?)\s*#*$/;
const roleColumn = /^\|\s*(?:role|roles|position|who|function)\s*\|/i;
const firstCell = /^\|\s*([^|]+?)\s*\|/;
const stepRole = /^\s*(?:\d+[.)]|[-*]\s+\[[ xX]\])\s+\*\*([^*:\n]{2,60}):\*\*/;
const equipmentHeading =
  /^(?:equipment|tools?|materials?|supplies|prerequisites|what you need|protective equipment)\b/i;
const listItem = /^\s*(?:[-*]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.+)$/;
const link = /(?<!!)\[([^\]\n]{1,200})\]\(<?([^)\s>]{1,400})>?(?:\s+"[^"\n]*")?\)/g;
const titled = /\bSOPs?:?\s+(?:_([^_\n]{3,150})_|\*([^*\n]{3,150})\*)/g;

/** Finds the names in a text. @param markdown in canonical form; names in other text are found as far as possible */
export function textNamesIn(markdown: string): TextNames {
  const [roles, equipment] = [new Set<string>(), new Set<string>()];
  const references = new Map<string, Reference>();
  let [isCode, isEquipment, isRoles] = [false, false, false];
  for (const line of markdown.split("\n")) {
    if (fence.test(line)) isCode = !isCode;
    if (isCode) continue;
    const under = heading.exec(line)?.[1];
    if (under !== undefined) isEquipment = equipmentHeading.test(under);
    isRoles = roleColumn.test(line) || (isRoles && line.startsWith("|"));
    const cell = isRoles && !roleColumn.test(line) ? firstCell.exec(line)?.[1] : undefined;
    for (const name of [cell, stepRole.exec(line)?.[1]]) addName(roles, roleInCell(name));
    const item = isEquipment ? listItem.exec(line)?.[1] : undefined;
    for (const part of (item ?? "").split(/[,;]/)) addName(equipment, equipmentNameIn(part));
    for (const one of referencesIn(line)) references.set(`${one.title} ${JSON.stringify(one.target)}`, one);
  }
  return {
    topics: mainTopicsOf(searchableText(markdown)),
    roles: [...roles],
    equipment: [...equipment],
    references: [...references.values()],
  };
}

function addName(names: Set<string>, name: string | null): void {
  if (name !== null && names.size < 200) names.add(name);
}

const withoutEmphasisMarks = (text: string) =>
  text
    .replace(/[*_`~]/g, "")
    .replace(/\s+/g, " ")
    .trim();

/** Words for people in general, such as "employee". They name no role. */
const anybody = new Set([
  "all",
  "anyone",
  "anybody",
  "everyone",
  "everybody",
  "employee",
  "employees",
  "staff",
  "team",
  "user",
  "users",
]);

/**
 * Returns the role in a table cell; null for a long text, for words such as "staff", and for a text with digits or a
 * blank to fill.
 */
function roleInCell(cell: string | undefined): string | null {
  const name = withoutEmphasisMarks(cell ?? "");
  if (name === "" || anybody.has(name.toLowerCase()) || /^[-: ]+$/.test(name) || /[[\]<>\d/]/.test(name)) return null;
  return name.split(" ").length <= 4 && name.length <= 60 ? name : null;
}

const ofThing = /\s(?:with|of|for|from|to|at|on|in|over|under|that|which|and|or|up|as|per|by)\s/i;
const before = /^(?:an?|the|one|two|three|clean|new|personal|printed|calibrated)\s+/i;

/** Finds the equipment in a phrase: `Probe thermometer with a valid check` → `probe thermometer`. */
function equipmentNameIn(part: string): string | null {
  const words = withoutEmphasisMarks(part.split(/[:(]/)[0] ?? "").replace(/^\d+\s+/, "");
  const name = (` ${words} `.split(ofThing)[0] ?? "").trim().replace(before, "").replace(/[.]+$/, "");
  if (!/^[\p{L}][\p{L}\s'-]{3,40}$/u.test(name) || name.split(" ").length > 3) return null;
  // abbreviations keep their capitals
  return /^\p{Lu}{2}/u.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);
}

function referencesIn(line: string): Reference[] {
  const found: Reference[] = [];
  if (line.includes("](")) {
    for (const [, text = "", url = ""] of line.matchAll(link)) {
      const target = referenceTargetOf(url);
      const title = titleOfLink(withoutEmphasisMarks(text), target);
      if (target !== null && title !== "") found.push({ title, target });
    }
  }
  if (line.includes("SOP")) {
    for (const [, one, other] of line.matchAll(titled)) {
      const title = withoutEmphasisMarks(one ?? other ?? "");
      if (title !== "" && !title.includes("](")) found.push({ title, target: null });
    }
  }
  return found;
}

function referenceTargetOf(url: string): Reference["target"] {
  const id = /^\/sop\/([0-9a-zA-Z-]{1,100})(?:[#?]|$)/.exec(url)?.[1];
  if (id !== undefined) return id === "new" ? null : { kind: "id", id };
  if (/^(?:[a-z][\w+.-]*:|\/|#)/i.test(url)) return null;
  const name = /([^/]+)\.(?:md|markdown)(?:#.*)?$/i.exec(url)?.[1];
  return name === undefined ? null : { kind: "file", name: percentDecoded(name) };
}

/**
 * Returns the title that a link names. A link text without meaning ("here", a file name) is replaced by the file name
 * of the target.
 */
function titleOfLink(text: string, target: Reference["target"]): string {
  const isTelling = text.length > 4 && !/\.(?:md|markdown)$/i.test(text) && readNumber(text) !== text;
  if (isTelling) return text;
  if (target?.kind !== "file") return "";
  const words = target.name.replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns a key that is equal for two spellings of one name. */
export function nameKey(name: string): string {
  return foldWord(name)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
