/** A company's settings for its documents, from `sop.config.yaml`. They are plain data, so they can't run code. */
import { AppError } from "#core/errors.ts";
import { sentences, type MessageWithId } from "../language/catalog.ts";

const refusals = sentences("core.lint.settings", {
  noPattern: "idPattern is not a regular expression",
  costlyPattern: "idPattern is too complicated",
  unknownLimit: "limits knows no {key}; there are {known}",
  wholeNumber: "limits.{key} must be a whole number of at least 1",
  emptyName: "{key} holds an empty name",
  listOfTexts: "{key} must be a list of texts",
  text: "{key} must be a text",
  map: "{key} must be a list of `name: value` lines",
});

export interface LintSettings {
  /** The format of numbers: a regular expression that must match the whole number. */
  idPattern: string;
  /** Banned term → preferred term. */
  terms: Readonly<Record<string, string>>;
  /** Acronyms that everyone in the company knows. */
  acronyms: readonly string[];
  /**
   * Required sections by kind of document (`x-type`, or the folder); `default` is for all others. Absent: the preset's
   * sections.
   */
  sections?: Readonly<Record<string, readonly string[]>>;
  /** The language of files that don't name one. */
  lang: string;
  limits: LintLimits;
}

export interface LintLimits {
  /** The maximum number of words in a sentence of a step. */
  stepWords: number;
  /** The maximum number of words in any other sentence. */
  sentenceWords: number;
  /** The maximum school grade that a paragraph may require. */
  grade: number;
  stepsInList: number;
  listDepth: number;
  /** Months from one review to the next. */
  reviewMonths: number;
}

/** The source of an expression that matches numbers of any company: `SOP-0042`, `QM.01-003`. */
export const anyNumberPattern = "[A-Z0-9]+([.-][A-Z0-9]+)*[.-]\\d+";

export const defaultSettings: LintSettings = {
  idPattern: anyNumberPattern,
  terms: {},
  acronyms: [],
  lang: "en",
  limits: { stepWords: 20, sentenceWords: 25, grade: 12, stepsInList: 15, listDepth: 3, reviewMonths: 24 },
};

/** The settings that a company chose. Missing ones have their default value. */
export type SomeSettings = Partial<Omit<LintSettings, "limits">> & { limits?: Partial<LintLimits> };

export function withDefaultSettings(some: SomeSettings = {}): LintSettings {
  return { ...defaultSettings, ...some, limits: { ...defaultSettings.limits, ...some.limits } };
}

/**
 * Reads the settings from a configuration file's mapping and ignores other keys.
 * @throws `invalid_input` whose details name the invalid `key`
 */
export function readLintSettings(config: Readonly<Record<string, unknown>>): SomeSettings {
  const settings: SomeSettings = {};
  const { idPattern, terms, acronyms, sections, lang, limits } = config;
  if (idPattern !== undefined) settings.idPattern = readPattern(idPattern);
  if (terms !== undefined) settings.terms = readTexts("terms", terms);
  if (acronyms !== undefined) settings.acronyms = readListSetting("acronyms", acronyms);
  if (sections !== undefined) settings.sections = readSections(sections);
  if (lang !== undefined) settings.lang = readTextSetting("lang", lang);
  if (limits !== undefined) settings.limits = readLimits(limits);
  return settings;
}

/** Compiles `idPattern`, which must match the whole number. @throws `invalid_input` for an invalid expression */
export function compileNumberPattern(source: string): RegExp {
  try {
    return new RegExp(`^(?:${source})$`, "u");
  } catch {
    throw wrongSettingError("idPattern", refusals.noPattern());
  }
}

const longestPattern = 200;
/** Matches a repeated group that contains a repetition, because such an expression can run for hours. */
const runaway = /[+*}]\)(?:[+*]|\{\d+,)/;

function readPattern(value: unknown): string {
  const source = readTextSetting("idPattern", value);
  compileNumberPattern(source);
  if (source.length > longestPattern || runaway.test(source))
    throw wrongSettingError("idPattern", refusals.costlyPattern());
  return source;
}

function readLimits(value: unknown): Partial<LintLimits> {
  const limits: Partial<LintLimits> = {};
  for (const [key, limit] of readMapSetting("limits", value)) {
    if (!isLimit(key)) {
      throw wrongSettingError(
        "limits",
        refusals.unknownLimit({ key, known: Object.keys(defaultSettings.limits).join(", ") }),
      );
    }
    if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1)
      throw wrongSettingError("limits", refusals.wholeNumber({ key }));
    limits[key] = limit;
  }
  return limits;
}

function isLimit(key: string): key is keyof LintLimits {
  return Object.hasOwn(defaultSettings.limits, key);
}

/** Reads the required sections. A plain list applies to every document. */
function readSections(value: unknown): Record<string, string[]> {
  if (Array.isArray(value)) return { default: readListSetting("sections", value) };
  return Object.fromEntries(
    readMapSetting("sections", value).map(([kind, list]) => [kind, readListSetting("sections", list)]),
  );
}

function readTexts(key: string, value: unknown): Record<string, string> {
  return Object.fromEntries(
    readMapSetting(key, value).map(([name, text]) => {
      if (name.trim() === "") throw wrongSettingError(key, refusals.emptyName({ key }));
      return [name, readTextSetting(key, text)];
    }),
  );
}

function readListSetting(key: string, value: unknown): string[] {
  if (!Array.isArray(value)) throw wrongSettingError(key, refusals.listOfTexts({ key }));
  return value.map((item) => readTextSetting(key, item));
}

function readTextSetting(key: string, value: unknown): string {
  if (typeof value !== "string" || value.trim() === "") throw wrongSettingError(key, refusals.text({ key }));
  return value;
}

function readMapSetting(key: string, value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrongSettingError(key, refusals.map({ key }));
  return Object.entries(value);
}

function wrongSettingError(key: string, message: MessageWithId): AppError {
  return new AppError("invalid_input", message, { key });
}
