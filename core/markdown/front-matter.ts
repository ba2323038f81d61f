import { AppError } from "#core/errors.ts";
import { quotedForYaml } from "#core/text/yaml-string.ts";
import { fileFields, type FileField } from "../sop-fields.ts";
import { readYaml } from "./yaml.ts";
import type { MessageWithId } from "../language/catalog.ts";
import { refusals } from "./refusals.ts";

/** The value of an unknown key in a file. Values of other types are kept as JSON text. */
export type ExtraValue = string | number | boolean | string[];

interface ValueOfKind {
  string: string;
  integer: number;
  boolean: boolean;
  list: string[];
}
type ValueKind = keyof ValueOfKind;

const kindOfFields = {
  line: "string",
  text: "string",
  relation: "string",
  day: "string",
  tags: "list",
  list: "list",
  minutes: "integer",
  flag: "boolean",
} as const satisfies Partial<Record<FileField["kind"], ValueKind>>;
type OfFields = { [Field in FileField as Field["file"]]: (typeof kindOfFields)[Field["kind"]] };

/** Keys that the server sets. `number` is the number that a new SOP should get; a stored version only has `sop`. */
export const identityKinds = { sop: "string", number: "string", id: "string", version: "integer" } as const;

/** The known keys in the order of the file (`docs/spec/repository-format.md`). */
export const frontMatterKinds = {
  ...identityKinds,
  ...(Object.fromEntries(fileFields.map(({ file, kind }) => [file, kindOfFields[kind]])) as OfFields),
};

type KnownKey = keyof typeof frontMatterKinds;
type KnownValues = { [Key in KnownKey]?: ValueOfKind[(typeof frontMatterKinds)[Key]] };

/**
 * The front matter of a file of format v1. Keys without a value are absent. Dates are `YYYY-MM-DD` strings, times are
 * minutes.
 */
export interface FrontMatter extends KnownValues {
  [extra: `x-${string}`]: ExtraValue;
}

const knownKeys = Object.keys(frontMatterKinds) as KnownKey[];

export function isKnownKey(key: string): key is KnownKey {
  return Object.hasOwn(frontMatterKinds, key);
}

export interface SplitFile {
  /** The YAML between the `---` lines; null for a file without front matter. */
  raw: string | null;
  body: string;
  /** The line of the file (1-based) on which the body begins. */
  bodyLine: number;
}

/** Splits a file into front matter and body without parsing either. Throws `invalid_input` for `---js` and the like. */
export function splitFrontMatter(text: string): SplitFile {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n");
  const opening = lines[0] ?? "";
  assertNoScriptedFrontMatter(opening);
  const end = /^---[ \t]*$/.test(opening) ? lines.findIndex((line, index) => index > 0 && isFrontMatterEnd(line)) : -1;
  if (end === -1) return { raw: null, body: lines.join("\n"), bodyLine: 1 };
  let start = end + 1;
  while (start < lines.length - 1 && lines[start]?.trim() === "") start += 1;
  return { raw: lines.slice(1, end).join("\n"), body: lines.slice(start).join("\n"), bodyLine: start + 1 };
}

function isFrontMatterEnd(line: string): boolean {
  return /^(?:---|\.\.\.)[ \t]*$/.test(line);
}

/**
 * Refuses front matter that is marked as a script, because some readers would run it (`docs/spec/markdown.md`). Throws
 * `invalid_input`.
 */
export function assertNoScriptedFrontMatter(opening: string): void {
  const language = /^---[ \t]*([A-Za-z][\w-]*)[ \t]*$/.exec(opening)?.[1];
  if (language === undefined) return;
  throw new AppError("invalid_input", refusals.otherFrontMatter({ language }), { line: 1 });
}

/**
 * Parses the front matter of a file of format v1. Unknown keys are returned under `x-`, and empty values are left out.
 * Throws `invalid_input` with the faulty line or key.
 */
export function parseFrontMatter(raw: string): FrontMatter {
  const values = readYaml(raw);
  const front: FrontMatter = {};
  const extras: [string, unknown][] = [];
  for (const [key, value] of Object.entries(values)) {
    if (isEmptyValue(value)) continue;
    if (isKnownKey(key)) setKnownKey(front, key, readKnownValue(key, value));
    else extras.push([key, value]);
  }
  addExtras(front, extras);
  return front;
}

function isEmptyValue(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

function setKnownKey(front: FrontMatter, key: KnownKey, value: unknown): void {
  Object.assign(front, { [key]: value });
}

function readKnownValue(key: KnownKey, value: unknown): unknown {
  const kind: ValueKind = frontMatterKinds[key];
  const read = convertToKind(kind, value);
  if (read !== undefined) return read;
  const wanted = expectedKindText(kind, value);
  throw new AppError("invalid_input", refusals.wrongField({ key, value: writtenValue(kind, value), wanted }), { key });
}

/** Matches texts that would be a value of this kind without their quotes. */
const unquoted: Partial<Record<ValueKind, RegExp>> = {
  integer: /^\s*\d+\s*$/,
  boolean: /^\s*(?:true|false)\s*$/i,
};

/** Returns 'yes' if a value would be of this kind without its quotes. 'yes' and 'no' are parameters of a message. */
export function yesIfNeedlesslyQuoted(kind: ValueKind, value: unknown): "yes" | "no" {
  return typeof value === "string" && unquoted[kind]?.test(value) === true ? "yes" : "no";
}

/** Describes the kind of value that a key takes, for the message about a value of another kind. */
export function expectedKindText(kind: ValueKind, value: unknown): MessageWithId {
  return refusals.wantedKind({ kind, quotes: yesIfNeedlesslyQuoted(kind, value) });
}

/** Writes a value of the wrong kind for a message. A text that looks like the right kind keeps its quotes. */
export function writtenValue(kind: ValueKind | undefined, value: unknown): string {
  const isJson = typeof value === "object" || (kind !== undefined && yesIfNeedlesslyQuoted(kind, value) === "yes");
  return isJson ? JSON.stringify(value) : String(value);
}

/**
 * Converts `value` into the kind of a key's values; undefined if that is impossible. For a text, bare numbers are
 * accepted. Numbers and booleans of YAML can keep their written form: `03`, `TRUE`.
 */
export function convertToKind(kind: ValueKind, value: unknown): unknown {
  switch (kind) {
    case "string":
      if (typeof value === "number" || typeof value === "boolean") return String(value);
      return typeof value === "string" ? value.normalize("NFC") : undefined;
    case "integer":
      if (Number.isSafeInteger(value)) return value;
      return typeof value === "string" && /^[-+]?0\d+$|^\+\d+$/.test(value) ? Number(value) : undefined;
    case "boolean":
      if (value === "True" || value === "TRUE") return true;
      if (value === "False" || value === "FALSE") return false;
      return typeof value === "boolean" ? value : undefined;
    case "list": {
      const items: unknown[] = Array.isArray(value) ? value : [value];
      return items.every(isYamlScalar) ? items.map((item) => String(item).normalize("NFC")) : undefined;
    }
  }
}

function isYamlScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Adds unknown keys under `x-` names: in lower case, with `-` for other characters, and `-2` for a duplicate name. */
export function addExtras(front: FrontMatter, extras: readonly (readonly [string, unknown])[]): void {
  for (const [key, value] of extras) {
    const base = extraKeyOf(key);
    let name = base;
    for (let copy = 2; Object.hasOwn(front, name); copy += 1) name = `${base}-${copy}`;
    front[name] = extraValueOf(value);
  }
}

/** Returns the `x-` name for an unknown key. */
export function extraKeyOf(key: string): `x-${string}` {
  const plain = key
    .toLowerCase()
    .replace(/^x-/, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `x-${plain === "" ? "key" : plain}`;
}

function extraValueOf(value: unknown): ExtraValue {
  if (typeof value === "string") return value.normalize("NFC");
  if (typeof value === "boolean" || (typeof value === "number" && Number.isSafeInteger(value))) return value;
  if (Array.isArray(value) && value.length > 0 && value.every(isYamlScalar)) {
    return value.map((item) => String(item).normalize("NFC"));
  }
  return JSON.stringify(value).normalize("NFC");
}

/** Writes the exact bytes of a file of format v1: known keys in their order, `x-` keys sorted, empty ones left out. */
export function fileTextOf(frontMatter: FrontMatter, body: string): string {
  const extras = Object.keys(frontMatter)
    .filter((key) => key.startsWith("x-"))
    .sort() as `x-${string}`[];
  const lines = [...knownKeys, ...extras].flatMap((key) => linesOfKey(key, frontMatter[key]));
  return `---\n${lines.map((line) => `${line}\n`).join("")}---\n\n${body}`;
}

function linesOfKey(key: string, value: ExtraValue | undefined): string[] {
  if (value === undefined || isEmptyValue(value)) return [];
  if (Array.isArray(value)) return [`${key}:`, ...value.map((item) => `  - ${quotedForYaml(item)}`)];
  return [`${key}: ${typeof value === "string" ? quotedForYaml(value) : String(value)}`];
}
