import { texts } from "./note-texts.ts";
import unhomoglyph from "unhomoglyph";
import { withoutHiddenCharacters } from "#core/contract/shown-name.ts";
import { dayRefusals, readDay } from "#core/days.ts";
import { AppError } from "#core/errors.ts";
import { sentenceOfMessage, type MessageWithId, type Sentence } from "#core/language/catalog.ts";
import { notesOnUnseenCharacters, withoutUnseenCharacters } from "#core/text/clean-text.ts";
import {
  addExtras,
  convertToKind,
  extraKeyOf,
  frontMatterKinds,
  isKnownKey,
  yesIfNeedlesslyQuoted,
  writtenValue,
  type FrontMatter,
} from "#core/markdown/front-matter.ts";
import { fieldsOfKinds } from "#core/sop-fields.ts";
import { SopUpdate } from "#core/sops/schema.ts";
import { isBareNumber, readNumber, readPossibleNumbers } from "#core/numbers/numbers.ts";
import type { ConversionReport } from "./report.ts";
import { shortenAtWord } from "./titles.ts";
import { refusals } from "./refusals.ts";

/**
 * Known keys by their names in other tools (Jekyll, Hugo, MkDocs, strongdm). Such a name only counts if the file
 * doesn't have the known key.
 */
const aliases: Record<string, keyof typeof frontMatterKinds> = {
  name: "title",
  summary: "description",
  language: "lang",
  effective_date: "effective",
  effectivedate: "effective",
  review_date: "review_by",
  reviewdate: "review_by",
};

const shapes: Partial<Record<keyof typeof frontMatterKinds, { test(text: string): boolean }>> = {
  sop: { test: (text: string) => readNumber(text) !== null || isBareNumber(text) },
  id: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
};

const dates: ReadonlySet<string> = new Set(fieldsOfKinds("day").map(({ file }) => file));

/** The API's limits for these keys also hold for files. */
const bounds = new Map<string, (typeof SopUpdate.shape)["lang" | "tags" | "readTime"]>(
  fieldsOfKinds("text", "tags", "minutes").map(({ file, name }) => [file, SopUpdate.shape[name]]),
);

/** Returns advice on what to write instead of a value that can't be read. */
function adviceForUnreadValue(key: keyof typeof frontMatterKinds, value: unknown): Sentence {
  const tooBig = bounds.get(key)?.safeParse(convertToKind(frontMatterKinds[key], value)).error?.issues;
  const excess = tooBig?.find(({ code }) => code === "too_big");
  if (excess !== undefined) return sentenceOfMessage(excess);
  if (dates.has(key)) return dayRefusals.form();
  if (key === "sop") return refusals.writeNumber();
  if (key === "id") return refusals.writeId();
  if (key === "lang") return refusals.writeLanguage();
  const kind = frontMatterKinds[key];
  return refusals.writeKind({ kind, quotes: yesIfNeedlesslyQuoted(kind, value) });
}

/**
 * Converts the front matter of any tool to this program's keys. Unknown keys are kept under `x-`, and the report lists
 * renamed and unknown keys. @throws AppError invalid_input for a number or id that can't be read but may mean an SOP
 */
export function convertFrontMatter(
  values: Record<string, unknown>,
  report: ConversionReport,
  lineOf: (key: string) => number | undefined = () => undefined,
): FrontMatter {
  const front: FrontMatter = {};
  const extras: [string, unknown][] = [];
  const names = new Set(Object.keys(values).map(normalizedKey));
  const meant = new Set<string | undefined>();
  for (const [key, written] of Object.entries(values)) {
    const value = withoutUnseenIn(written);
    const strings = [written].flat().filter((text) => typeof text === "string");
    for (const note of strings.flatMap((text) => notesOnUnseenCharacters(key, text)))
      report.add(note.code, sentenceOfMessage(note), lineOf(key));
    if (isBlankValue(value)) continue;
    const own = knownKeyFor(key, values, names);
    const read = own === undefined ? undefined : parseKnownValue(own, value);
    if (own !== undefined && read !== undefined && !Object.hasOwn(front, own)) {
      Object.assign(front, { [own]: read });
      if (own !== key) report.add("front-matter", texts.renamed({ key, own }));
      continue;
    }
    const table = /^[^.]+(?=\.)/.exec(key)?.[0] ?? "";
    const fault = read === undefined ? problemOfKey(key, value, own ?? knownKeyFor(table, values, names)) : undefined;
    if (fault !== undefined) report.add(fault.code, fault.message, lineOf(key), fault.meant);
    if (fault !== undefined && mayMeanSop(fault.meant, value)) meant.add(fault.meant);
    // as the text of its JSON, it would be the name of a category
    const kept = fault?.code === "unread-category" ? (convertToKind("list", value) ?? [JSON.stringify(value)]) : value;
    extras.push([key, kept]);
  }
  // refuse a file whose number or id can't be read, because it would become a second SOP
  if ([...meant].some((key) => key !== undefined && !Object.hasOwn(front, key))) assertKnownKeysReadable(report);
  addExtras(front, extras);
  for (const [key] of extras) if (!key.startsWith("x-")) report.add("front-matter", texts.extra({ key }), lineOf(key));
  return front;
}

/**
 * Matches 28 to 36 hexadecimal digits, or letters that look like them: probably a mistyped id of an SOP. Ids of other
 * tools are shorter.
 */
const nearId = /(?<![\p{L}\p{N}])(?:[\da-foil][^\p{L}\p{N}]*){28,36}(?![\p{L}\p{N}])/iu;

/** Tells whether a value of `sop` or `id` that can't be read may still mean an SOP. */
function mayMeanSop(key: string | undefined, value: unknown): boolean {
  if (key === "sop") return typeof value !== "string" || /\p{N}/u.test(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return key === "id" && nearId.test(text.replace(/[^\0-\x7f]+/g, (letters) => unhomoglyph(letters.normalize("NFKC"))));
}

function withoutUnseenIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnseenIn);
  return typeof value === "string" ? withoutUnseenCharacters(value) : value;
}

interface UnreadField {
  code: "unread-key" | "unread-category";
  message: MessageWithId;
  /** The known key that the file means. */
  meant?: keyof typeof frontMatterKinds;
}

/**
 * Returns the problem of a key without effect; undefined for an unknown key that needs no note. @param own the known
 * key for which the value is meant, also for a key inside a table; undefined for an unknown key
 */
function problemOfKey(
  key: string,
  value: unknown,
  own: keyof typeof frontMatterKinds | undefined,
): UnreadField | undefined {
  const kind = own === undefined ? undefined : frontMatterKinds[own];
  const unread = (advice: Sentence) =>
    refusals.unread({ key, value: shortenAtWord(writtenValue(kind, value), 80), advice });
  if (own !== undefined) return { code: "unread-key", message: unread(adviceForUnreadValue(own, value)), meant: own };
  const meant = lookalikeKnownKey(key);
  if (meant !== undefined) return { code: "unread-key", message: refusals.lookalike({ key, meant }), meant };
  if (extraKeyOf(key) !== "x-category" || convertToKind("string", value) !== undefined) return undefined;
  return { code: "unread-category", message: unread(refusals.writeCategory()) };
}

/**
 * Checks that the values of all known keys could be read. @throws AppError invalid_input that names each key without a
 * readable value, its line and what to write
 */
export function assertKnownKeysReadable(report: ConversionReport): void {
  const unread = report.lines
    .filter(({ code }) => code === "unread-key")
    .map((note) =>
      note.line === undefined
        ? sentenceOfMessage(note)
        : refusals.atLine({ line: note.line, message: sentenceOfMessage(note) }),
    );
  if (unread.length === 0) return;
  throw new AppError(
    "invalid_input",
    unread.reduce((first, second) => refusals.both({ first, second })),
  );
}

function isBlankValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === "string" && item.trim() === "");
  return value === null || value === undefined || (typeof value === "string" && value.trim() === "");
}

/** Returns the same key for all spellings: `Review_by`, `Review-By`, `review by`, and full-width letters. */
function normalizedKey(key: string): string {
  return withoutHiddenCharacters(key).normalize("NFKC").trim().toLowerCase().replace(/[ -]/g, "_");
}

/** Returns the known key that a key with letters of other scripts looks like. */
function lookalikeKnownKey(key: string): keyof typeof frontMatterKinds | undefined {
  const name = normalizedKey(key);
  if (!/[^\0-\x7f]/.test(name)) return undefined;
  const look = unhomoglyph(name);
  return (Object.keys(frontMatterKinds) as (keyof typeof frontMatterKinds)[]).find((own) => unhomoglyph(own) === look);
}

function knownKeyFor(
  key: string,
  values: Record<string, unknown>,
  names: ReadonlySet<string>,
): keyof typeof frontMatterKinds | undefined {
  if (isKnownKey(key)) return key;
  const name = normalizedKey(key);
  if (isKnownKey(name)) return Object.hasOwn(values, name) ? undefined : name;
  const own = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  return own !== undefined && !names.has(own) ? own : undefined;
}

/** Returns the key in the file that is read as the known key `own`. */
export function writtenKeyOf(own: keyof typeof frontMatterKinds, values: Record<string, unknown>): string | undefined {
  const names = new Set(Object.keys(values).map(normalizedKey));
  return Object.keys(values).find((key) => knownKeyFor(key, values, names) === own);
}

function parseKnownValue(key: keyof typeof frontMatterKinds, value: unknown): unknown {
  const read = key === "satisfies" ? convertRequirements(value) : convertToKind(frontMatterKinds[key], value);
  const bound = bounds.get(key);
  if (bound !== undefined && typeof read !== "string") {
    const { data, success } = bound.safeParse(Array.isArray(read) ? read.filter((item) => !isBlankValue(item)) : read);
    return success ? data : undefined;
  }
  const shape = shapes[key];
  if (typeof read === "string") {
    const text = read.replace(/\s+/g, " ").trim();
    // YAML allows a space between day and time
    if (dates.has(key)) return readDay(text.replace(" ", "T")) ?? undefined;
    if (shape?.test(text) === false || bound?.safeParse(text).success === false) return undefined;
    // use the stored spelling of a number; a text that can mean several numbers stays
    return key === "sop" && readPossibleNumbers(text).own !== null
      ? readNumber(text)
      : key === "id"
        ? text.toLowerCase()
        : text;
  }
  if (typeof read === "number" && read < 1) return undefined;
  return read;
}

/**
 * Converts a list, or a mapping of frameworks to their clauses: `TSC: [CC6.1]` is `TSC:CC6.1`; undefined for other
 * values.
 */
function convertRequirements(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return convertToKind("list", value);
  const items: string[] = [];
  for (const [framework, clauses] of Object.entries(value)) {
    const list = convertToKind("list", clauses) as string[] | undefined;
    if (list === undefined) return undefined;
    items.push(...list.map((clause) => `${framework}:${clause.trim()}`));
  }
  return items;
}
