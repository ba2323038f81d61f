/**
 * Reads the facts that a rewording must not lose: figures, words of duty, negation, order and direction, roles, names.
 */
import { amountsIn, labelLetter, unitKey, type Amount } from "./amounts.ts";
import { factLanguages, factWords, type FactLanguage } from "./fact-words.ts";
import { opposites, type OppositeDirection, type StrictWord } from "./words/notation.ts";
import { findWords, createWordIndex, type ListedWords, type WordIndex } from "./word-index.ts";

export interface WordFact<Token extends string = string> {
  token: Token;
  raw: string;
  start: number;
}

export interface TextFacts {
  /**
   * The text to which all positions refer: the given text with conditions moved to the end of their sentences
   * (`withConditionsLast`).
   */
  text: string;
  /** Figures with their units, and codes such as `V3`. */
  amounts: Amount[];
  /** Numbers written as words: `two` is 2. */
  countWords: WordFact[];
  strict: WordFact<StrictWord>[];
  directions: WordFact<OppositeDirection>[];
  roles: WordFact[];
  names: WordFact[];
}

const recentFacts = new Map<string, TextFacts>();
const recentAtMost = 4_000;

/** Reads the facts of a text. @param language null for an unknown language: the words of all languages count */
export function factsOf(given: string, language: FactLanguage | null): TextFacts {
  const id = `${language ?? ""} ${given}`;
  let facts = recentFacts.get(id);
  if (facts === undefined) {
    // the cache pays off because proposals are tried on one text many times
    if (recentFacts.size >= recentAtMost) recentFacts.clear();
    facts = readFacts(given, language);
    recentFacts.set(id, facts);
  }
  return facts;
}

function readFacts(given: string, language: FactLanguage | null): TextFacts {
  const text = withConditionsLast(given, language);
  const amounts = amountsIn(text, language);
  const isFree = ({ start }: { start: number }) => !amounts.some((one) => start >= one.start && start < one.end);
  const found = factMatchesIn(text, language).filter(isFree);
  const factsOfKind = <Token extends string>(kind: FactKind): WordFact<Token>[] =>
    found.flatMap((one) => (one.kind === kind ? [{ token: one.token as Token, raw: one.raw, start: one.start }] : []));
  return {
    text,
    amounts,
    countWords: factsOfKind("number"),
    strict: factsOfKind<StrictWord>("strict")
      .concat(comparisonSignsIn(text))
      .sort((a, b) => a.start - b.start),
    directions: factsOfKind<OppositeDirection>("direction"),
    roles: factsOfKind("role"),
    names: properNamesIn(text, language),
  };
}

/** A figure, in digits or as a word. */
export interface CountedAmount extends Amount {
  /** The word after the figure. */
  next: string;
}

export function countedAmountsOf(
  { text, amounts, countWords }: TextFacts,
  language: FactLanguage | null,
): CountedAmount[] {
  const words = countWords.map(({ token, raw, start }): CountedAmount => {
    const next = wordAfter(text, start + raw.length);
    const unit = next === "" ? null : unitKey(next, language);
    const end = unit === null ? start + raw.length : text.indexOf(next, start + raw.length) + next.length;
    const key = unit === null ? token : `${token} ${unit}`;
    return { raw: text.slice(start, end), number: token, unit: unit ?? "", key, start, end, isCode: false, next };
  });
  const figures = amounts.map((one): CountedAmount => ({
    ...one,
    next: one.unit === "" && !one.isCode ? wordAfter(text, one.end) : "",
  }));
  return [...figures, ...words].sort((a, b) => a.start - b.start);
}

function wordAfter(text: string, place: number): string {
  return /^[\s\u00a0]*([\p{L}-]+)/u.exec(text.slice(place))?.[1] ?? "";
}

const signs = /[<>≤≥≈](?==?\s?[-−]?\p{Nd})=?/gu;

function comparisonSignsIn(text: string): WordFact<StrictWord>[] {
  return [...text.matchAll(signs)].map(({ 0: raw, index: start }) => ({
    token: (raw === "<=" ? "≤" : raw === ">=" ? "≥" : raw) as StrictWord,
    raw,
    start,
  }));
}

type FactKind = "strict" | "direction" | "number" | "role";

interface WordMeaning {
  kind: FactKind;
  token: string;
}

const lexicons = new Map<FactLanguage, WordIndex<WordMeaning>>();

function factLexiconOf(language: FactLanguage): WordIndex<WordMeaning> {
  return cachedByLanguage(lexicons, language, () => {
    const { strict, directions, numbers, roles } = factWords[language];
    const listWords = (
      kind: FactKind,
      words: Readonly<Record<string, string | undefined>>,
    ): ListedWords<WordMeaning>[] =>
      Object.entries(words).map(([token, words = ""]) => ({ value: { kind, token }, words }));
    const counts = numbers.split(" ").map((pair): ListedWords<WordMeaning> => {
      const [words = "", token = ""] = pair.split(":");
      return { value: { kind: "number", token }, words };
    });
    const people = roles
      .split(" ")
      .map((words): ListedWords<WordMeaning> => ({ value: { kind: "role", token: words }, words }));
    return createWordIndex([
      ...listWords("strict", strict),
      ...listWords("direction", directions),
      ...counts,
      ...people,
    ]);
  });
}

function cachedByLanguage<Key, Value>(values: Map<Key, Value>, language: Key, make: () => Value): Value {
  let found = values.get(language);
  if (found === undefined) {
    found = make();
    values.set(language, found);
  }
  return found;
}

interface FactMatch extends WordFact {
  kind: FactKind;
}

function factMatchesIn(text: string, language: FactLanguage | null): FactMatch[] {
  const found = (language === null ? factLanguages : [language]).flatMap((one) =>
    findWords(factLexiconOf(one), text).flatMap(({ values, raw, start }): FactMatch[] => {
      const isStrict = values.some(({ kind }) => kind === "strict");
      const meant = isStrict ? values.filter(({ kind }) => kind === "strict") : values;
      return meant.map(({ kind, token }) => ({ kind, token, raw, start }));
    }),
  );
  return language === null ? distinctMatches(found).sort((a, b) => a.start - b.start) : found;
}

function distinctMatches(matches: readonly FactMatch[]): FactMatch[] {
  return [...new Map(matches.map((one) => [`${one.start} ${one.kind} ${one.token}`, one])).values()];
}

/**
 * Turns "Before you open it, stop the pump." into "stop the pump, before you open it", so that both forms compare as
 * equal.
 */
function withConditionsLast(text: string, language: FactLanguage | null): string {
  if (language === null) return text;
  return sentencesOf(text)
    .map((sentence) => {
      const [, lead = "", clause = "", rest = ""] = /^((?:\p{L}+:\s+)?)([^,.;:]+),\s+([^]+)$/u.exec(sentence) ?? [];
      if (clause === "" || !startsWithCondition(clause, language)) return sentence;
      const [, body = rest, end = ""] = /^([^]*?)([.!?:;]?\s*)$/.exec(rest) ?? [];
      return `${lead}${body}, ${clause.charAt(0).toLowerCase()}${clause.slice(1)}${end}`;
    })
    .join(" ");
}

const openers = new Map<FactLanguage, WordIndex<true>>();

function startsWithCondition(clause: string, language: FactLanguage): boolean {
  const index = cachedByLanguage(openers, language, () => {
    const { strict } = factWords[language];
    const words = (["before", "after", "until", "if", "unless"] as const).map((token) => strict[token] ?? "");
    return createWordIndex([{ value: true as const, words: words.join(" ") }]);
  });
  return findWords(index, clause)[0]?.start === clause.search(/\S/);
}

/** Abbreviations whose full stop ends no sentence: `max. 60 °C`, `rev. B`. */
const shortForms =
  "max min ca approx aprox env máx mín circa no nr num núm fig abb tab rev rév abs art vol pos kap sec chap cap ver"
    .split(" ")
    .map((word) => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`)
    .join("|");
const numberAfterShortForm = String.raw`(?<=(?<!\p{L}|\p{Nd}[ \u00a0]?)(?:${shortForms})\.)\s+\p{Nd}`;
const sentenceEnd = new RegExp(
  String.raw`(?<=[.!?;])(?!${numberAfterShortForm})\s+(?=[\p{Lu}\p{Nd}"“„«(¿¡]|$)(?!${labelLetter})`,
  "u",
);

export function sentencesOf(text: string): string[] {
  return text.split(sentenceEnd).filter((sentence) => sentence.trim() !== "");
}

/**
 * Returns the stems of all words with content, in the order of the text. A stem has at most five letters, and most
 * forms of a word have the same stem.
 */
export function contentStemsOf(text: string, language: FactLanguage | null): string[] {
  const common = contentlessWordsOf(language);
  return (
    text
      .toLowerCase()
      .normalize("NFC")
      .match(/\p{L}{3,}/gu) ?? []
  )
    .filter((word) => !common.has(word))
    .map((word) => (language === "de" ? word : word.normalize("NFKD").replace(/\p{M}/gu, "")))
    .map((word) => word.replace(/(?<=\p{L}{3})(?:ing|ed|es|en|s|e|n)$/u, "").slice(0, 5));
}

const fillers =
  "please note should could would their there these those such also which will been being have has must make sure ensure always some any each all bitte sollte sollten wird werden sich auch diese dieser dieses alle jede sicher stellen veuillez bien tous toutes doit être il faut assurez assurer sicuro deve essere por favor asegúrese certifique debe deve alle zorg ervoor moet moeten dient zijn haben sein";
const everyCommon = new Set(
  [...factLanguages.map((language) => factWords[language].common), fillers].join(" ").split(" "),
);
const common = new Map<FactLanguage, ReadonlySet<string>>();

function commonWordsOf(language: FactLanguage): ReadonlySet<string> {
  return cachedByLanguage(common, language, () => new Set(`${factWords[language].common} ${fillers}`.split(" ")));
}

/** Returns the words of a language that carry no content, such as articles. */
export function contentlessWordsOf(language: FactLanguage | null): ReadonlySet<string> {
  return language === null ? everyCommon : commonWordsOf(language);
}

const vague = new Map<FactLanguage, WordIndex<true>>();

/**
 * Removes conditions that say nothing, such as `as needed`, so that an edit without such a condition changes no
 * meaning.
 */
export function withoutVagueConditions(text: string, language: FactLanguage | null): string {
  if (language === null) return text;
  const index = cachedByLanguage(vague, language, () =>
    createWordIndex([{ value: true as const, words: factWords[language].vague }]),
  );
  return splitAtCuts(text, findWords(index, text)).join("");
}

const turns = new Map<FactLanguage | null, WordIndex<true>>();

/** Splits a text at words such as "then" into actions that follow one another. */
export function actionsInOrderOf(text: string, language: FactLanguage | null): string[] {
  const languages = language === null ? factLanguages : [language];
  const words = languages.map((one) => factWords[one].next).join(" ");
  const index = cachedByLanguage(turns, language, () => createWordIndex([{ value: true as const, words }]));
  return sentencesOf(text).flatMap((sentence) => splitAtCuts(sentence, findWords(index, sentence)));
}

const joins = new Map<FactLanguage, WordIndex<"and" | "before">>();

/**
 * Splits a text into clauses: at punctuation, at "and", and before words such as "until". Each clause keeps such a
 * first word.
 */
export function clausesOf(text: string, language: FactLanguage | null): string[] {
  if (language === null) return sentencesOf(text);
  const index = cachedByLanguage(joins, language, () => {
    const { strict, and, next } = factWords[language];
    const governing = [strict.before, strict.after, strict.until, strict.unless, strict.without].join(" ");
    return createWordIndex<"and" | "before">([
      { value: "before", words: governing },
      { value: "and", words: `${and} ${next}` },
    ]);
  });
  const cuts = findWords(index, text).map(({ values, start, end }) => ({
    start,
    end: values.includes("before") ? start : end,
  }));
  return splitAtCuts(text, cuts)
    .flatMap((part) => part.split(/[.,;:!?]\s/))
    .filter((clause) => clause.trim() !== "");
}

function splitAtCuts(text: string, cuts: readonly { start: number; end: number }[]): string[] {
  const ends = [...cuts, { start: text.length, end: text.length }];
  return ends.map(({ start }, at) => text.slice(ends[at - 1]?.end ?? 0, start));
}

/**
 * Finds proper names: words after a title such as "Dr.", and capitalized words inside a sentence unless the language
 * capitalizes all nouns.
 */
function properNamesIn(text: string, language: FactLanguage | null): WordFact[] {
  const titled =
    /(?<![\p{L}])(?:Mr|Mrs|Ms|Dr|Herrn?|Frau|M\.|Mme|Sr|Sra|Sig|Sig\.ra|Dott|Mevr|Dhr|Mevrouw|Meneer)\.?\s+(?<name>\p{Lu}[\p{L}-]+)/gu;
  const inside = /(?<=[\p{Ll},;]\s+(?:[("“„«]\s?)?)(?<name>\p{Lu}[\p{L}'’-]*\p{L})/gu;
  const found = new Map<number, string>();
  for (const pattern of language === "de" ? [titled] : [titled, inside])
    for (const match of text.matchAll(pattern)) {
      const name = match.groups?.["name"] ?? "";
      found.set(match.index + match[0].length - name.length, name);
    }
  return [...found].map(([start, raw]) => ({ token: raw.toLowerCase(), raw, start })).sort((a, b) => a.start - b.start);
}

interface LanguageScore {
  language: FactLanguage;
  hits: number;
  /** The number of different frequent words; single letters don't count. */
  kinds: number;
}

/**
 * Detects the language of a text by its frequent words and its words of duty.
 * @param expected the language to return if no other one scores better
 * @returns null for a text that is too short, in another language, or equally likely in two languages
 */
export function detectFactLanguage(text: string, expected?: string): FactLanguage | null {
  const { best, second, words, scores } = languageScoresOf(text);
  if (best === undefined || best.hits === 0) return null;
  const wanted = scores.find(({ language }) => language === expected);
  if (wanted !== undefined && wanted.hits * 2 > best.hits) return wanted.language;
  if (best.hits <= (second?.hits ?? 0)) return null;
  return best.hits * 12 >= words ? best.language : null;
}

/**
 * Returns the language only if it is certain enough to refuse a text: many frequent words, and few of any other
 * language.
 */
export function confidentLanguageOf(text: string): FactLanguage | null {
  const { scores, words } = languageScoresOf(text);
  const [best, second] = scores.toSorted((a, b) => b.kinds - a.kinds);
  if (best === undefined || best.kinds < leastKinds || best.hits * 6 < words) return null;
  return best.kinds >= 1.5 * (second?.kinds ?? 0) ? best.language : null;
}

const leastKinds = 4;

/** The number of words below which words of duty also help to detect the language. */
const shortText = 40;

function languageScoresOf(text: string): {
  scores: LanguageScore[];
  best: LanguageScore | undefined;
  second: LanguageScore | undefined;
  words: number;
} {
  const words =
    text
      .toLowerCase()
      .replace(/[’']/g, " ")
      .match(/\p{L}+/gu) ?? [];
  const scores = factLanguages.map((language): LanguageScore => {
    const own = new Set(factWords[language].common.split(" "));
    const found = words.filter((word) => own.has(word));
    return { language, hits: found.length, kinds: new Set(found.filter((word) => word.length > 1)).size };
  });
  // words of duty decide between languages if a short text has no frequent words
  if (words.length < shortText)
    for (const score of scores) {
      const own = factMatchesIn(text, score.language).filter(({ kind }) => kind !== "number");
      score.hits += own.filter(({ kind, raw }) => kind === "strict" || raw.length > 4).length;
    }
  const [best, second] = scores.sort((a, b) => b.hits - a.hits);
  return { scores, best, second, words: words.length };
}

/** Returns the words that are the opposite of a direction, such as "close" for "open". */
export function oppositesOf(token: string): string[] {
  return opposites.flatMap(([a, b]) => (a === token ? [b] : b === token ? [a] : []));
}
