/**
 * Finds the figures in a text with their units, and codes with digits. Equal amounts get the same `key`, even if they
 * are written differently.
 */
import Qty from "js-quantities";
import type { FactLanguage } from "./fact-words.ts";

export interface Amount {
  /** The figure as written, without spaces: `85°C`. */
  raw: string;
  /** The number with its sign, in plain digits: `-20`, `1/2`, `10^3`. */
  number: string;
  /** The unit as written; empty for a figure without a unit. */
  unit: string;
  /** The key is equal for equal amounts: `5 min` and `5 minutes`. */
  key: string;
  /** The position in the given text. */
  start: number;
  end: number;
  /** True for a code with digits, such as `F-20` or `V3`, which is no figure. */
  isCode: boolean;
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const digit = String.raw`[\p{Nd}]`;
const number = String.raw`${digit}{4}-${digit}{2}-${digit}{2}(?!${digit})|${digit}+(?:[.,:/'’٫٬]${digit}+)*(?:[ \u00a0\u202f]${digit}{3}(?![\p{Nd}\p{L}]))*(?:\s?[¼½¾⅐-⅞])?|[¼½¾⅐-⅞]`;
const power = String.raw`(?:\s?[x×·]\s?10(?:\^?[-−+]?[\p{Nd}${superscripts}⁻]+)?|(?:\^[-−]?\d+)|[⁻${superscripts}]+)`;
const degrees = String.raw`(?:[Dd]egrees?|[Dd]egrés?|[Gg]rad|[Gg]rados?|[Gg]rad[oi]|[Gg]raus?|[Gg]raden|[Gg]raad)\s(?:Celsius|Fahrenheit|[CF](?![\p{L}]))`;
const unitText = String.raw`(?:${degrees}|%|‰|°\s?\p{L}*|[$€£¥′″"]|[\p{L}µΩ°][\p{L}µΩ°²³⁻¹·%₂]*(?:[\^]?-?\d(?![\p{Nd}]))?)(?:\s?[/·]\s?(?:[\p{L}µΩ°%][\p{L}µΩ°²³·₂]*(?:\^?-?\d(?![\p{Nd}]))?|\d{2,3}\s?[\p{L}µ]+[²³]?))*`;
const pattern = new RegExp(
  String.raw`(?<before>(?<![\p{L}\p{Nd}])[$€£¥]\s?|(?<![\p{L}\p{Nd}])[A-Z]{3}\s)?(?<![\p{L}\p{Nd}_]|\p{L}[-‐‑])(?<sign>[±+]\s?|[-−–‐‑](?=[\p{Nd}¼½¾]))?(?<number>${number})(?<power>${power})?(?:(?<space>[ \u00a0\u202f]?)(?<unit>(?:[x×]\s?)?${unitText}))?`,
  "gu",
);
/** Matches codes such as `V3`, `AF-B`, `F-20` and `QP-04-001`. `ISO 9001` is no code. */
const code =
  /(?<![\p{L}\p{Nd}])(?=[\p{L}\p{Nd}-]*[\p{Nd}]|\p{Lu}+\p{Nd}*-\p{Lu})\p{L}[\p{L}\p{Nd}]*(?:[-‐‑./_]?[\p{L}\p{Nd}]+)*(?![\p{L}\p{Nd}])/gu;

export function amountsIn(text: string, language: FactLanguage | null): Amount[] {
  const codes = codeAmountsIn(text, code);
  const isInCode = (at: number) => codes.some(({ start, end }) => at >= start && at < end);
  const found: Amount[] = [];
  for (const match of text.matchAll(pattern)) {
    const {
      before = "",
      sign = "",
      number: digits = "",
      power: exponent = "",
      space = "",
      unit: said = "",
    } = match.groups ?? {};
    const at = match.index + before.length;
    if (isInCode(at + sign.length)) continue;
    const currency = /^[A-Z]/.test(before) && !currencies.has(before.trim()) ? "" : before.trim();
    const start = currency === "" ? at : match.index;
    const unit =
      currency === "" ? unitBehindFigure(said, space, text.slice(match.index + match[0].length), language) : currency;
    const left = currency === "" ? unit : "";
    const end =
      match.index + match[0].length - (said.length - left.length) - (left === "" && said !== "" ? space.length : 0);
    // a letter that is no unit belongs to the figure: line 4c
    const letter = left === "" ? (/^\p{L}(?![\p{L}\p{Nd}'’])/u.exec(text.slice(end))?.[0] ?? "") : "";
    const value = amountSignOf(sign, text, at) + plainNumber(digits) + plainPower(exponent) + letter;
    found.push({
      raw: text.slice(start, end + letter.length).replace(/[\s\u00a0\u202f]/g, ""),
      number: value,
      unit,
      key: `${value} ${unitKey(unit, language) ?? unit}`.trim(),
      start,
      end: end + letter.length,
      isCode: false,
    });
  }
  const isFree = ({ start }: Amount) => !found.some((one) => start >= one.start && start < one.end);
  return [...found, ...codes, ...codeAmountsIn(text, label).filter(isFree)].sort((a, b) => a.start - b.start);
}

/**
 * Matches a single capital letter used as a label. `A`, `E`, `I`, `O` and `Y` can also be words, so no other word may
 * follow them.
 */
export const labelLetter = String.raw`(?:[AEIOYÀÈÉÓ](?!\s+\p{L})|(?![AEIOYÀÈÉÓ])\p{Lu})(?![\p{L}\p{Nd}\p{M}'’.&/‐‑-]\S|\p{L}|\p{Nd})`;
/** Matches the letter of `rev. B` and `zone E`. */
const label = new RegExp(String.raw`(?<=\p{L}{2}\.?[ \u00a0])${labelLetter}`, "gu");

/** The maximum length of a part number. A longer match is a cryptographic key or a checksum. */
const longestCode = 16;

function codeAmountsIn(text: string, form: RegExp): Amount[] {
  return [...text.matchAll(form)].flatMap((match) => {
    const [raw] = match;
    if (raw.length > longestCode || /^(?:[kcdmµμ]?m|ft|in|yd)[23]$/.test(raw)) return [];
    const key = raw.replace(/[‐‑]/g, "-").toUpperCase();
    return [{ raw, number: key, unit: "", key, start: match.index, end: match.index + raw.length, isCode: true }];
  });
}

/** Returns the sign of a figure; empty for a dash between two figures, which means a range. */
function amountSignOf(sign: string, text: string, at: number): string {
  const mark = sign.trim();
  if (mark === "" || mark === "+") return "";
  if (mark === "±") return "±";
  return /[\p{Nd}°%\p{L}]\s?$/u.test(text.slice(0, at)) && !/\s$/.test(text.slice(0, at)) ? "" : "-";
}

/** Writes digits of any script, and fractions, in plain digits. */
function plainNumber(text: string): string {
  return text
    .replace(
      /(\p{Nd})?\s?([¼½¾⅐-⅞])/gu,
      (_, whole: string | undefined, sign: string) =>
        `${whole === undefined ? "" : `${whole} `}${sign.normalize("NFKC").replace("⁄", "/")}`,
    )
    .replace(/\p{Nd}/gu, (sign) => String(digitOfCodePoint(sign.codePointAt(0) ?? 0)))
    .replace(/٫/g, ".")
    .replace(/[ \u00a0\u202f٬](?=\d{3})/g, "");
}

/** Returns the value of a digit. The ten digits of a script have consecutive code points in Unicode. */
function digitOfCodePoint(point: number): number {
  let zero = point;
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return point - zero;
}

function plainPower(text: string): string {
  if (text === "") return "";
  const plain = text
    .replace(/[⁻−]/g, "-")
    .replace(/[⁰¹²³⁴-⁹]/g, (sign) => String(superscripts.indexOf(sign)))
    .replace(/\s/g, "")
    .replace(/[x×·]/, "*");
  return plain.startsWith("*") ? plain.replace(/^(\*10)\^?/, "$1^") : `^${plain.replace("^", "")}`;
}

/** Returns the unit after a figure; empty if the text after the figure doesn't begin with a unit. */
function unitBehindFigure(said: string, space: string, rest: string, language: FactLanguage | null): string {
  const text = said.trimEnd();
  if (text === "") return "";
  if (unitKey(text, language) === null) {
    // keep the longest beginning that is a unit: `m/s` of `5 m/s auf`
    const shorter = text.replace(/\s?[/·][^/·]*$/, "");
    return shorter === text ? "" : unitBehindFigure(shorter, space, rest, language);
  }
  // `3 in the box` has no unit: `in` means inches only at the end of the text
  if (/^(?:in|as|am|a|to|do|no|so|an|e|o|y|at|pt|us|is|me|se|de|en|are|es|per|on)$/.test(text) && space !== "")
    return text === "in" && /^\s*(?:[.,;:)]|$)/.test(rest) ? text : "";
  return text;
}

/** Units that js-quantities doesn't know. */
const more: Readonly<Record<string, string>> = {
  "°c": "°C",
  "° c": "°C",
  "°f": "°F",
  "° f": "°F",
  "℃": "°C",
  "℉": "°F",
  "°": "°",
  "%": "%",
  "‰": "‰",
  K: "K",
  IU: "IU",
  IE: "IU",
  UI: "IU",
  CFU: "CFU",
  KBE: "CFU",
  UFC: "CFU",
  KVE: "CFU",
  ph: "pH",
  lx: "lux",
  lux: "lux",
  nm: "nm",
  Nm: "N*m",
  N·m: "N*m",
  g: "g",
  "× g": "×g",
  "×g": "×g",
  "x g": "×g",
  xg: "×g",
  "U/min": "rpm",
  "tr/min": "rpm",
  "giri/min": "rpm",
  "omw/min": "rpm",
  VA: "VA",
  $: "USD",
  "€": "EUR",
  "£": "GBP",
  "¥": "JPY",
  '"': "in",
  "″": "in",
  "′": "ft",
  Ω: "ohm",
  kΩ: "kohm",
  MΩ: "Mohm",
  RH: "%RH",
  rF: "%RH",
};

const known = new Map<string, string | null>();

/** Returns a key that is equal for all names of one unit; null for a text that is no unit. */
export function unitKey(text: string, language: FactLanguage | null): string | null {
  const id = `${language ?? ""} ${text}`;
  let found = known.get(id);
  if (found === undefined) {
    found = findUnit(text, language);
    if (known.size > 5_000) known.clear();
    known.set(id, found);
  }
  return found;
}

function findUnit(text: string, language: FactLanguage | null): string | null {
  const own = more[text] ?? more[text.toLowerCase().startsWith("°") ? text.toLowerCase() : text];
  if (own !== undefined) return own;
  const named = language === null ? undefined : unitNamesOf(language).get(text.toLowerCase());
  if (named !== undefined) return named;
  if (currencies.has(text)) return text;
  const scale = /^\p{L}+\s([CF])(?:elsius|ahrenheit)?$/u.exec(text)?.[1];
  if (scale !== undefined) return `°${scale}`;
  const plain = text
    .replace(/[μµ]/g, "u")
    .replace(/([\p{L}])²(?=$|\/)/gu, "$1^2")
    .replace(/([\p{L}])³(?=$|\/)/gu, "$1^3")
    .replace(/([\p{L}])([23])(?=$|\/)/gu, "$1^$2")
    .replace(/·/g, "*")
    .replace(/\s/g, "");
  // symbols need their case, names don't
  const isName = /^\p{Lu}\p{Ll}{2,}$/u.test(plain);
  const parsed = /\d{2}/.test(plain) ? null : (parseUnit(plain) ?? (isName ? parseUnit(plain.toLowerCase()) : null));
  if (parsed !== null) return parsed;
  const parts = text.split("/").map((part) => part.trim());
  if (parts.length > 1 && parts.every((part) => isAmountInUnit(part, language)))
    return parts.map((part) => unitKey(part, language) ?? part).join("/");
  return isUnitByLetters(text) ? text : null;
}

/** Tells whether a text is an amount inside a unit: `5 mg/100 mL` contains `100 mL`. */
function isAmountInUnit(text: string, language: FactLanguage | null): boolean {
  const [, unit = text] = /^\d+\s?(.+)$/.exec(text) ?? [];
  return unit !== "" && unitKey(unit, language) !== null;
}

/** Tells by the letters whether a text is a unit that is in no list: `kVAr`, `µatm`, `EU`. */
function isUnitByLetters(text: string): boolean {
  return /[°%‰µΩ²³]/.test(text) || /^[a-zµ]{1,2}\p{Lu}\p{L}{0,3}$/u.test(text) || /^\p{Lu}{2,4}$/u.test(text);
}

function parseUnit(text: string): string | null {
  try {
    return Qty.parse(`1 ${text}`)?.units() || null;
  } catch {
    return null;
  }
}

const currencies = new Set(Intl.supportedValuesOf("currency"));

const names = new Map<FactLanguage, ReadonlyMap<string, string>>();

/** Returns the names of units in a language from the runtime's own data: `minuti`, `Liter`. */
function unitNamesOf(language: FactLanguage): ReadonlyMap<string, string> {
  let found = names.get(language);
  if (found === undefined) {
    found = new Map(
      Intl.supportedValuesOf("unit").flatMap((unit) => {
        const id = unit === "celsius" ? "°C" : unit === "fahrenheit" ? "°F" : (parseUnit(unit) ?? unit);
        return (["long", "short"] as const).flatMap((unitDisplay) =>
          [1, 2].map((count): [string, string] => {
            const parts = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay }).formatToParts(count);
            const name = parts.flatMap(({ type, value }) => (type === "unit" ? [value] : [])).join("");
            return [name.toLowerCase(), id];
          }),
        );
      }),
    );
    names.set(language, found);
  }
  return found;
}
