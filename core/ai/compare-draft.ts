/**
 * Compares a draft with its request: finds content of the request that the draft lacks, and figures that only the draft
 * has.
 */
import { AppError } from "#core/errors.ts";
import type { SopDraft } from "./draft.ts";
import { draftWords } from "./draft-words.ts";
import { wordsReplacedInDraft } from "./exchanges.ts";
import type { FactLanguage } from "./fact-words.ts";
import {
  clausesOf,
  countedAmountsOf,
  factsOf,
  detectFactLanguage,
  sentencesOf,
  contentStemsOf,
  confidentLanguageOf,
  type CountedAmount,
  type TextFacts,
} from "./facts.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.ai.compare-draft", {
  otherLanguage: "The AI answered in {found}, not in {wanted}. Nothing was created. Try again",
});

interface DraftPrompt {
  prompt: string;
  /** The BCP 47 tag of the requested language. */
  language: string;
}

/**
 * Returns the draft with marked differences from its request. A figure that only the draft has becomes `[confirm: …]`.
 * Other differences become open tasks, such as a figure or prohibition that the draft lacks. Both block publishing
 * until a person resolves them.
 */
export function withMarkedDifferences(draft: SopDraft, { prompt, language }: DraftPrompt): SopDraft {
  const expected = language.split("-")[0]?.toLowerCase() ?? "";
  const own = detectFactLanguage(draftTextsOf(draft).join(" "), expected) ?? detectFactLanguage(prompt, expected);
  const asked = readRequestFacts(prompt, detectFactLanguage(prompt, expected) ?? own);
  const ours = draftWords(language);
  const sentences = draftTextsOf(draft).flatMap((text) => sentencesOf(text));
  const isSame = asked.language === own;
  const facts = sentences.map((sentence) => draftSentenceOf(sentence, own));
  const tasks = [
    ...missingFigures(asked, facts).map((words) => ours.missing(words)),
    ...asked.bans.flatMap((ban) => {
      if (!isSame || !facts.some((sentence) => isBanKept(ban, sentence))) return [ours.missing(ban.words)];
      const against = ban.isPlain ? facts.find((sentence) => isBanBroken(ban, sentence)) : undefined;
      return against === undefined ? [] : [ours.against(ban.words, against.text)];
    }),
    ...(isSame
      ? wordsReplacedInDraft(prompt, draftTextsOf(draft).join(" "), own).map((word) => ours.missing(word))
      : []),
    ...unaskedHeadFigures(draft, { asked, own, isSame: false, often: new Set() }).map((figure) => ours.unasked(figure)),
    ...(isSame ? [] : confusableFigures(asked.figures).map((figures) => ours.places(figures))),
  ];
  const often = frequentStems(facts);
  const markBlanks = (text: string) => withUnaskedFiguresMarked(text, { asked, own, isSame, often });
  return { ...mapTexts(draft, markBlanks), assumptions: [...draft.assumptions, ...new Set(tasks)] };
}

/**
 * Returns an error for a draft in another language than requested.
 * @returns null for a draft in the requested language, and for a draft that is too short to detect its language
 */
export function languageFault(draft: SopDraft, language: string): AppError | null {
  const wanted = language.split("-")[0]?.toLowerCase() ?? "";
  const found = confidentLanguageOf(draftTextsOf(draft).join(" "));
  if (found === null || found === wanted) return null;
  const named = new Intl.DisplayNames("en", { type: "language" });
  const names = { found: named.of(found) ?? found, wanted: named.of(wanted) ?? wanted };
  return new AppError("ai_malformed", refusals.otherLanguage(names));
}

type LimitSign = "≤" | "≥" | "<" | ">" | null;

interface DraftFigure extends CountedAmount {
  /** The figure as written, with its spaces. */
  words: string;
  limit: LimitSign;
  /** The stems of the words around the figure. */
  context: ReadonlySet<string>;
}

interface DraftBan {
  words: string;
  stems: string[];
  figures: DraftFigure[];
  family: "not" | "only" | "unless";
  /** True for a ban without a condition that allows the action. */
  isPlain: boolean;
}

interface RequestFacts {
  language: FactLanguage | null;
  figures: DraftFigure[];
  bans: DraftBan[];
}

function readRequestFacts(prompt: string, language: FactLanguage | null): RequestFacts {
  return {
    language,
    figures: sentencesOf(prompt).flatMap((sentence) => limitedFiguresOf(sentence, language)),
    bans: sentencesOf(prompt)
      .flatMap((sentence) => clausesWithContent(sentence, language))
      .flatMap((clause) => {
        const ban = prohibitionOf(clause, language);
        return ban === null ? [] : [ban];
      }),
  };
}

/**
 * Splits a sentence into clauses and joins a clause without content to the next one: `Not | without gloves` is one
 * clause.
 */
function clausesWithContent(sentence: string, language: FactLanguage | null): string[] {
  let waiting = "";
  return clausesOf(sentence, language).flatMap((clause) => {
    const text = `${waiting}${clause}`;
    const isEmpty = nonFactStemsOf(factsOf(clause, language), clause, language).length === 0;
    waiting = isEmpty ? text : "";
    return isEmpty ? [] : [text];
  });
}

/** Finds the figures of a sentence, each with the limit next to it: `at most 60 °C`, `10 min or more`. */
function limitedFiguresOf(sentence: string, language: FactLanguage | null): DraftFigure[] {
  const facts = factsOf(sentence, language);
  let last = 0;
  const clauses = clausesOf(facts.text, language).map((text) => {
    const start = facts.text.indexOf(text, last);
    last = start + text.length;
    return { text, start, end: last };
  });
  return countedAmountsOf(facts, language).map((figure): DraftFigure => {
    const words = facts.text.slice(figure.start, figure.end);
    const clause = clauses.find(({ start, end }) => figure.start >= start && figure.start < end)?.text;
    return {
      ...figure,
      words,
      limit: limitBesideFigure(facts, figure),
      context: new Set(contentStemsOf(clause ?? sentence, language)),
    };
  });
}

const limits = new Set("≤ ≥ < >".split(" "));
const opposite: Readonly<Record<string, LimitSign>> = { "<": "≥", ">": "≤", "≤": ">", "≥": "<" };

function limitBesideFigure({ strict }: TextFacts, { start, end }: Pick<CountedAmount, "start" | "end">): LimitSign {
  const near = strict.filter(({ token, start: at, raw }) => {
    if (!limits.has(token)) return false;
    return (at < start && start - (at + raw.length) <= 12) || (at >= end && at - end <= 4);
  });
  const found = (near.at(-1)?.token ?? null) as LimitSign;
  // "never above 60" means "at most 60"
  const isDenied = strict.some(
    ({ token, start: at }) =>
      (token === "never" || token === "not" || token === "forbidden") && at < (near.at(-1)?.start ?? 0),
  );
  return found !== null && isDenied ? (opposite[found] ?? null) : found;
}

const denials = new Set("not never forbidden avoid without".split(" "));
const generic = new Set(
  "use using do put take verwe benut einse nehme utili emplo usar usare utiliz util gebru".split(" "),
);

function prohibitionOf(clause: string, language: FactLanguage | null): DraftBan | null {
  const facts = factsOf(clause, language);
  const tokens = facts.strict.map(({ token }) => token);
  const family = tokens.some((token) => denials.has(token))
    ? "not"
    : tokens.includes("only")
      ? "only"
      : tokens.includes("unless")
        ? "unless"
        : null;
  if (family === null) return null;
  const figures = limitedFiguresOf(clause, language);
  return {
    words: clause.trim(),
    stems: nonFactStemsOf(facts, clause, language),
    figures,
    family,
    isPlain:
      family === "not" &&
      figures.length === 0 &&
      !tokens.some((token) => ["before", "until", "unless", "if", "after", "without", "only"].includes(token)),
  };
}

/** Returns the stems of a clause without words of duty or prohibition and without verbs such as "use". */
function nonFactStemsOf({ strict }: TextFacts, text: string, language: FactLanguage | null): string[] {
  const said = new Set(strict.flatMap(({ raw }) => contentStemsOf(raw, language)));
  return contentStemsOf(text, language).filter((stem) => !said.has(stem) && !generic.has(stem));
}

interface DraftSentence {
  text: string;
  facts: TextFacts;
  stems: ReadonlySet<string>;
  figures: DraftFigure[];
}

function draftSentenceOf(text: string, language: FactLanguage | null): DraftSentence {
  const facts = factsOf(text, language);
  return {
    text,
    facts,
    stems: new Set(nonFactStemsOf(facts, text, language)),
    figures: limitedFiguresOf(text, language),
  };
}

const leastOfBan = 0.6;

function isBanKept({ stems, figures, family }: DraftBan, sentence: DraftSentence): boolean {
  const tokens = sentence.facts.strict.map(({ token }) => token);
  const hasFigures = figures.every((figure) => sentence.figures.some((one) => matchesAskedFigure(one, figure)));
  const isLimit = figures.some(({ limit }) => limit !== null);
  const forbids = family === "not" ? tokens.some((token) => denials.has(token)) || isLimit : tokens.includes(family);
  const shared = stems.filter((stem) => sentence.stems.has(stem)).length;
  return forbids && hasFigures && shared >= leastOfBan * stems.length;
}

function isBanBroken({ stems }: DraftBan, sentence: DraftSentence): boolean {
  if (stems.length === 0 || sentence.facts.strict.some(({ token }) => denials.has(token))) return false;
  return stems.every((stem) => sentence.stems.has(stem));
}

function missingFigures({ figures }: RequestFacts, sentences: readonly DraftSentence[]): string[] {
  const there = sentences.flatMap((sentence) => sentence.figures);
  return figures.flatMap((figure) => {
    const isThere = there.some((one) => matchesAskedFigure(one, figure));
    return isThere ? [] : [figure.limit === null ? figure.words : `${figure.limit} ${figure.words}`];
  });
}

function matchesAskedFigure(figure: DraftFigure, asked: DraftFigure): boolean {
  return figure.key === asked.key && (asked.limit === null || haveSameDirection(figure.limit, asked.limit));
}

function haveSameDirection(limit: LimitSign, asked: LimitSign): boolean {
  const sideOfSign = (one: LimitSign) => (one === "≤" || one === "<" ? "<" : one === "≥" || one === ">" ? ">" : null);
  return sideOfSign(limit) === sideOfSign(asked);
}

/** Lists the figures of each unit for which the request has several figures, because the draft could confuse them. */
function confusableFigures(figures: readonly DraftFigure[]): string[] {
  const byUnit = Map.groupBy(
    figures.filter(({ isCode }) => !isCode),
    ({ key, number }) => key.slice(number.length),
  );
  return [...byUnit.values()].flatMap((group) => {
    const raws = [...new Set(group.map(({ words }) => words))];
    return raws.length < 2 ? [] : [raws.join(", ")];
  });
}

/**
 * Tells whether the draft uses a figure for something else: the words around it belong to another figure of the
 * request.
 */
function hasMovedToOtherFigure(
  figure: DraftFigure,
  sentence: ReadonlySet<string>,
  { asked: { figures }, often }: DraftComparison,
): boolean {
  const own = figures.filter(({ key }) => key === figure.key);
  const unitOf = ({ key, number }: DraftFigure) => key.slice(number.length);
  const others = figures.filter((one) => one.key !== figure.key && unitOf(one) === unitOf(figure));
  const sharedStemCount = (one: DraftFigure, except: readonly DraftFigure[]) =>
    [...one.context].filter(
      (stem) => sentence.has(stem) && !often.has(stem) && !except.some(({ context }) => context.has(stem)),
    ).length;
  const best = Math.max(0, ...own.map((one) => sharedStemCount(one, others)));
  return others.some((one) => sharedStemCount(one, own) > best);
}

interface DraftComparison {
  asked: RequestFacts;
  /** The language of the draft. */
  own: FactLanguage | null;
  /** True if the draft is in the language of the request. */
  isSame: boolean;
  /** Stems next to several figures of the draft, which therefore can't tell the figures apart. */
  often: ReadonlySet<string>;
}

function frequentStems(sentences: readonly DraftSentence[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { figures, stems } of sentences)
    if (figures.length > 0) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return new Set([...counts].flatMap(([stem, count]) => (count > 1 ? [stem] : [])));
}

function isUnasked(figure: DraftFigure, stems: ReadonlySet<string>, comparing: DraftComparison): boolean {
  const { asked, isSame } = comparing;
  const known = asked.figures.filter(({ key }) => key === figure.key);
  if (known.length === 0) return true;
  if (figure.limit !== null && !known.some(({ limit }) => limit !== null && haveSameDirection(figure.limit, limit)))
    return true;
  return isSame && hasMovedToOtherFigure(figure, stems, comparing);
}

const blank = /\[confirm:[^\]]*\]?/gi;

function withUnaskedFiguresMarked(text: string, comparing: DraftComparison): string {
  const { own: language } = comparing;
  const blanks = [...text.matchAll(blank)].map(({ 0: words, index }) => ({ start: index, end: index + words.length }));
  const places: { start: number; end: number }[] = [];
  for (const sentence of sentencesOf(text)) {
    const from = text.indexOf(sentence);
    const stems = new Set(contentStemsOf(sentence, language));
    let last = from;
    for (const figure of limitedFiguresOf(sentence, language)) {
      const { words } = figure;
      // reading facts can reorder the clauses of a sentence, so the figure can be before the previous one
      const start = text.indexOf(words, last) === -1 ? text.indexOf(words, from) : text.indexOf(words, last);
      if (start === -1) continue;
      const end = start + words.length;
      if (!hasMovedCondition(sentence, language)) last = end;
      if (blanks.some((one) => start < one.end && end > one.start)) continue;
      if (isUnasked(figure, stems, comparing)) places.push({ start, end });
    }
  }
  const inOrder = [...new Map(places.map((one) => [one.start, one])).values()].sort((a, b) => b.start - a.start);
  return inOrder.reduce(
    (words, { start, end }) => `${words.slice(0, start)}[confirm: ${words.slice(start, end)}]${words.slice(end)}`,
    text,
  );
}

function hasMovedCondition(sentence: string, language: FactLanguage | null): boolean {
  return factsOf(sentence, language).text !== sentence;
}

function unaskedHeadFigures({ title, description, tags }: SopDraft, comparing: DraftComparison): string[] {
  return [title, description, ...tags].flatMap((text) =>
    limitedFiguresOf(text, comparing.own).flatMap((figure) =>
      isUnasked(figure, new Set(), comparing) ? [figure.words] : [],
    ),
  );
}

function draftTextsOf(draft: SopDraft): string[] {
  const texts: string[] = [draft.title, draft.description];
  mapTexts(draft, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/**
 * Applies `map` to each text of the draft's body, except to titles of existing SOPs in references, because the model
 * didn't write these titles.
 */
function mapTexts(draft: SopDraft, map: (text: string) => string): SopDraft {
  const mapOrNull = (text: string | null) => (text === null ? null : map(text));
  return {
    ...draft,
    purpose: map(draft.purpose),
    scope: map(draft.scope),
    roles: draft.roles.map(({ name, duty }) => ({ name: map(name), duty: map(duty) })),
    equipment: draft.equipment.map(map),
    warnings: draft.warnings.map(({ level, text }) => ({ level, text: map(text) })),
    sections: draft.sections.map(({ heading, steps }) => ({
      heading: map(heading),
      steps: steps.map(({ text, role, warning, verify, sub }) => ({
        text: map(text),
        role: mapOrNull(role),
        warning: mapOrNull(warning),
        verify: mapOrNull(verify),
        sub: sub.map(map),
      })),
    })),
    records: draft.records.map(({ name, place, retention }) => ({
      name: map(name),
      place: map(place),
      retention: map(retention),
    })),
    references: draft.references.map((reference) =>
      reference.sourceId === null ? { ...reference, label: map(reference.label) } : reference,
    ),
  };
}
