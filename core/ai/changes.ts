/**
 * Finds changes of meaning in a reworded text. It compares the facts as sequences, step by step, in the languages of
 * `fact-words.ts`.
 */
import { changeKinds, type MeaningChange, type MeaningChangeKind } from "./change-kinds.ts";
import { wordExchanges, groupWordChanges } from "./exchanges.ts";
import type { FactLanguage } from "./fact-words.ts";
import {
  clausesOf,
  countedAmountsOf,
  factsOf,
  detectFactLanguage,
  oppositesOf,
  sentencesOf,
  contentStemsOf,
  confidentLanguageOf,
  actionsInOrderOf,
  withoutVagueConditions,
  type CountedAmount,
  type TextFacts,
  type WordFact,
} from "./facts.ts";
import { passagesText, matchPassages, passagesOf, type Passage } from "./passages.ts";
import {
  sequenceOrderChanges,
  pairByPosition,
  differingRuns,
  sequenceChanges,
  shortenedLine,
  tokenOfFact,
  factsOnlyInFirst,
} from "./sequences.ts";

/**
 * Finds the changes of meaning between two texts.
 * @param before @param after Markdown; empty for a new or deleted text
 * @param language of the whole text; null if it is unknown, so that the words of all languages count
 */
export function meaningChangesBetween(
  before: string,
  after: string,
  language: FactLanguage | null = detectFactLanguage(before === "" ? after : before),
): MeaningChange[] {
  const [old, now] = [passagesOf(before), passagesOf(after)];
  if (old.length === 0 || now.length === 0) return distinctChanges(wholeTextChanges(old, now));
  return distinctChanges([
    ...languageChanges(before, after),
    ...warningChanges(old, now),
    ...tableChanges(old, now, language),
    ...textChanges(old.filter(isTextPassage), now.filter(isTextPassage), language),
  ]);
}

/** Describes a change for readers: `unit mL → L`, `word “not” removed`. */
export function textOfMeaningChange({ kind, before, after }: MeaningChange): string {
  if (before === "") return `${kind} “${after}” added`;
  if (after === "") return `${kind} “${before}” removed`;
  return `${kind} ${before} → ${after}`;
}

/** Counts changes by kind: `1 unit, 2 words, the order`; empty without changes. */
export function changeCountsText(changes: readonly MeaningChange[]): string {
  return changeKinds
    .flatMap((kind) => {
      const { length } = changes.filter((one) => one.kind === kind);
      if (length === 0) return [];
      if (kind === "order" || kind === "text" || kind === "language") return [`the ${kind}`];
      if (kind === "steps") return ["the number of steps"];
      return [`${length} ${kind === "check box" && length > 1 ? "check boxes" : `${kind}${length === 1 ? "" : "s"}`}`];
    })
    .join(", ");
}

function isTextPassage({ kind }: Passage): boolean {
  return kind !== "warning" && kind !== "row";
}

function wholeTextChanges(old: readonly Passage[], now: readonly Passage[]): MeaningChange[] {
  const changesOf = (passages: readonly Passage[], change: (kind: MeaningChangeKind, text: string) => MeaningChange) =>
    passages.flatMap(({ kind, text }) =>
      kind === "heading" ? [] : [change(kind === "warning" ? "warning" : "text", shortenedLine(text))],
    );
  return [
    ...changesOf(old, (kind, before) => ({ kind, before, after: "" })),
    ...changesOf(now, (kind, after) => ({ kind, before: "", after })),
  ];
}

function languageChanges(before: string, after: string): MeaningChange[] {
  const [old, now] = [
    confidentLanguageOf(before) ?? detectFactLanguage(before),
    confidentLanguageOf(after) ?? detectFactLanguage(after),
  ];
  const isSure =
    confidentLanguageOf(after) !== null || (sharedStemCount(before, after) === 0 && detectFactLanguage(after) !== null);
  return old !== null && now !== null && old !== now && isSure ? [{ kind: "language", before: old, after: now }] : [];
}

function sharedStemCount(before: string, after: string): number {
  const now = new Set(contentStemsOf(after, null));
  return contentStemsOf(before, null).filter((stem) => now.has(stem)).length;
}

/** Reports every changed word of a warning, because authors choose the words of warnings with care. */
function warningChanges(old: readonly Passage[], now: readonly Passage[]): MeaningChange[] {
  const warningTexts = (passages: readonly Passage[]) =>
    passages.flatMap(({ kind, text }) => (kind === "warning" ? [text.replace(/\s+/g, " ")] : []));
  return differingRuns(warningTexts(old), warningTexts(now)).flatMap(({ gone, come }) =>
    pairByPosition(gone, come).map(([before = "", after = ""]) => ({
      kind: "warning" as const,
      before: shortenedLine(before),
      after: shortenedLine(after),
    })),
  );
}

function tableChanges(
  old: readonly Passage[],
  now: readonly Passage[],
  language: FactLanguage | null,
): MeaningChange[] {
  const tableRows = (passages: readonly Passage[]) => passages.filter(({ kind }) => kind === "row");
  const [before, after] = [tableRows(old), tableRows(now)];
  if (before.length === 0) return [];
  const columnCount = (passages: readonly Passage[]) => Math.max(0, ...passages.map(({ cells }) => cells.length));
  if (before.length !== after.length || columnCount(before) !== columnCount(after)) {
    const tableSizeText = (passages: readonly Passage[]) => `${passages.length} × ${columnCount(passages)}`;
    return [
      { kind: "cell", before: tableSizeText(before), after: tableSizeText(after) },
      ...textChanges(asParagraphs(before), asParagraphs(after), language),
    ];
  }
  const all = new Set(before.flatMap(({ cells }) => cells));
  return before.flatMap((row, at) =>
    row.cells.flatMap((cell, column): MeaningChange[] => {
      const other = after[at]?.cells[column] ?? "";
      if (cell === other) return [];
      const isMoved = all.has(other) || sharedStemCount(cell, other) === 0;
      if (isMoved && !haveSameAmounts(cell, other, language)) return [{ kind: "cell", before: cell, after: other }];
      return factChanges(cell, other, language);
    }),
  );
}

/**
 * Tells whether two cells contain equal amounts, such as `5 min` and `5 minutes`, and the first cell no other words.
 */
function haveSameAmounts(before: string, after: string, language: FactLanguage | null): boolean {
  const [old, now] = [factsOf(before, language), factsOf(after, language)];
  const amountKeys = ({ amounts }: TextFacts) => amounts.map(({ key }) => key).join();
  return old.amounts.length > 0 && amountKeys(old) === amountKeys(now) && contentStemsOf(before, language).length === 0;
}

function asParagraphs(rows: readonly Passage[]): Passage[] {
  return rows.map((row) => ({ ...row, kind: "paragraph", text: row.cells.join(" ") }));
}

function textChanges(old: readonly Passage[], now: readonly Passage[], language: FactLanguage | null): MeaningChange[] {
  const itemCount = (passages: readonly Passage[]) => passages.filter(({ kind }) => kind === "item").length;
  const [itemsBefore, itemsAfter] = [itemCount(old), itemCount(now)];
  const changes: MeaningChange[] = [];
  if (itemsBefore > 0 && itemsBefore !== itemsAfter)
    changes.push({ kind: "steps", before: String(itemsBefore), after: String(itemsAfter) });
  const matched = matchPassages(old, now, language);
  const order = matched.filter((at): at is number => at !== null);
  if (order.some((at, index) => at < (order[index - 1] ?? -1))) {
    const numberList = (list: readonly number[]) => list.map((at) => at + 1).join(", ");
    changes.push({ kind: "order", before: numberList([...order].sort((a, b) => a - b)), after: numberList(order) });
  }
  const isPaired = old.length === now.length && matched.every((at) => at !== null);
  if (!isPaired) return [...changes, ...factChanges(passagesText(old), passagesText(now), language)];
  for (const [index, passage] of old.entries()) {
    const other = now[matched[index] ?? index];
    if (other === undefined) continue;
    if (passage.checked !== other.checked)
      changes.push({ kind: "check box", before: checkboxText(passage.checked), after: checkboxText(other.checked) });
    changes.push(...factChanges(passage.text, other.text, language));
  }
  return changes;
}

function checkboxText(checked: boolean | null): string {
  return checked === null ? "" : checked ? "[x]" : "[ ]";
}

function factChanges(before: string, after: string, language: FactLanguage | null): MeaningChange[] {
  if (before === after) return [];
  const [oldText, nowText] = [withoutVagueConditions(before, language), withoutVagueConditions(after, language)];
  const [old, now] = [factsOf(oldText, language), factsOf(nowText, language)];
  const changes = [
    ...amountChanges(oldText, nowText, old, now, language),
    ...wordChanges(old.strict, now.strict),
    ...groupWordChanges(oldText, nowText, language),
    ...directionChanges(old.directions, now.directions),
    ...roleChanges(old.roles, now.roles),
    ...nameChanges(oldText, nowText, old.names, now.names),
    ...removedSentences(oldText, nowText, language).map((text) => ({ kind: "text" as const, before: text, after: "" })),
    ...removedSentences(nowText, oldText, language).map((text) => ({ kind: "text" as const, before: "", after: text })),
  ];
  if (changes.length > 0) return changes;
  const exchanged = wordExchanges(oldText, nowText, language);
  return exchanged.length > 0 ? exchanged : wordOrderChanges(oldText, nowText, language);
}

function amountChanges(
  before: string,
  after: string,
  oldFacts: TextFacts,
  nowFacts: TextFacts,
  language: FactLanguage | null,
): MeaningChange[] {
  const [old, now] = [countedAmountsOf(oldFacts, language), countedAmountsOf(nowFacts, language)];
  const changes = sequenceChanges(old, now, ({ key }) => key, amountChange);
  if (changes.length > 0) return changes;
  // the counted object is like a unit: 3 valves differ from 3 pumps
  const [stems, nowStems] = [new Set(contentStemsOf(before, language)), new Set(contentStemsOf(after, language))];
  return old.flatMap((one, at): MeaningChange[] => {
    const other = now[at];
    const [own = "", next = ""] = [
      contentStemsOf(one.next, language)[0],
      contentStemsOf(other?.next ?? "", language)[0],
    ];
    if (other === undefined || own === "" || next === "" || nowStems.has(own) || stems.has(next)) return [];
    return [{ kind: "figure", before: `${one.raw} ${one.next}`, after: `${other.raw} ${other.next}` }];
  });
}

function amountChange(old: CountedAmount | undefined, now: CountedAmount | undefined): MeaningChange {
  const isUnit = old !== undefined && now !== undefined && old.number === now.number && !old.isCode;
  if (isUnit && old.unit !== "" && now.unit !== "") return { kind: "unit", before: old.unit, after: now.unit };
  const kind = (old ?? now)?.isCode === true ? "part" : "figure";
  return { kind, before: old?.raw ?? "", after: now?.raw ?? "" };
}

function wordChanges(old: readonly WordFact[], now: readonly WordFact[]): MeaningChange[] {
  return sequenceChanges(old, now, tokenOfFact, (before, after) => ({
    kind: "word",
    before: before?.raw ?? "",
    after: after?.raw ?? "",
  }));
}

const actions = new Set(
  "open close start stop on off add remove insert fill drain lock unlock connect disconnect tighten loosen push pull enable disable heat cool enter leave accept reject left right up down".split(
    " ",
  ),
);
/** Actions that make a step safe, so a rewording must not drop them. */
const safetyActions = new Set(["open", "close", "stop", "lock", "disconnect"]);

function directionChanges(old: readonly WordFact[], now: readonly WordFact[]): MeaningChange[] {
  const [gone, come] = [factsOnlyInFirst(old, now), factsOnlyInFirst(now, old)];
  const changes = gone.flatMap((one): MeaningChange[] => {
    const at = come.findIndex(({ token }) => oppositesOf(one.token).includes(token));
    if (at !== -1) return [{ kind: "word", before: one.raw, after: come.splice(at, 1)[0]?.raw ?? "" }];
    return safetyActions.has(one.token) ? [{ kind: "word", before: one.raw, after: "" }] : [];
  });
  if (changes.length > 0 || gone.length > 0 || come.length > 0) return changes;
  const actionFacts = (facts: readonly WordFact[]) => facts.filter(({ token }) => actions.has(token));
  return sequenceOrderChanges(actionFacts(old), actionFacts(now), tokenOfFact);
}

function roleChanges(old: readonly WordFact[], now: readonly WordFact[]): MeaningChange[] {
  const [gone, come] = [factsOnlyInFirst(old, now), factsOnlyInFirst(now, old)];
  if (gone.length === 0 && come.length === 0) return sequenceOrderChanges(old, now, tokenOfFact);
  // an imperative names no actor, so with several actors a removed role is a change of meaning
  const severalActors = new Set(old.map(tokenOfFact)).size > 1;
  if (come.length === 0 && !severalActors) return [];
  return pairByPosition(gone, come).map(([before, after]) => ({
    kind: "role",
    before: before?.raw ?? "",
    after: after?.raw ?? "",
  }));
}

function nameChanges(
  before: string,
  after: string,
  old: readonly WordFact[],
  now: readonly WordFact[],
): MeaningChange[] {
  const hasToken = (text: string, { token }: WordFact) => text.toLowerCase().includes(token);
  // temperature scales are compared as units
  const gone = old.filter((name) => !hasToken(after, name) && !/^(?:celsius|fahrenheit)$/.test(name.token));
  const come = now.filter((name) => !hasToken(before, name));
  const nameChange = ([one, other]: readonly [WordFact | undefined, WordFact | undefined]): MeaningChange => ({
    kind: "name",
    before: one?.raw ?? "",
    after: other?.raw ?? "",
  });
  return pairByPosition(gone, come).map(nameChange);
}

const leastWords = 2;

/** Returns shortened sentences of `before` whose content words are all missing from `after`. */
function removedSentences(before: string, after: string, language: FactLanguage | null): string[] {
  const now = new Set(contentStemsOf(after, language));
  return sentencesOf(before)
    .filter((sentence) => {
      const stems = contentStemsOf(sentence, language);
      return stems.length >= leastWords && stems.every((stem) => !now.has(stem));
    })
    .map(shortenedLine);
}

/** Finds words that moved to another place in the order of actions, or under another governing word such as "not". */
function wordOrderChanges(before: string, after: string, language: FactLanguage | null): MeaningChange[] {
  const changes = [...turnOrderChanges(before, after, language), ...scopeChanges(before, after, language)];
  return changes.slice(0, 1);
}

function turnOrderChanges(before: string, after: string, language: FactLanguage | null): MeaningChange[] {
  const [old, now] = [actionsInOrderOf(before, language), actionsInOrderOf(after, language)].map((turns) =>
    turns.map((turn) => new Set(contentStemsOf(turn, language))),
  ) as [Set<string>[], Set<string>[]];
  const positionsByStem = (turns: readonly Set<string>[]) => {
    const places = new Map<string, number | null>();
    turns.forEach((turn, at) => {
      for (const stem of turn) places.set(stem, places.has(stem) ? null : at);
    });
    return places;
  };
  const [first, second] = [positionsByStem(old), positionsByStem(now)];
  const known = [...first].flatMap(([stem, at]) => {
    const place = second.get(stem);
    return at === null || place === null || place === undefined ? [] : [{ stem, at, place }];
  });
  for (const one of known)
    for (const other of known)
      if (one.at < other.at && one.place > other.place)
        return [{ kind: "order", before: `${one.stem}…, ${other.stem}…`, after: `${other.stem}…, ${one.stem}…` }];
  return [];
}

/** Finds a governing word that moved to another clause: `don't touch A; clean B` and `touch A; don't clean B`. */
function scopeChanges(before: string, after: string, language: FactLanguage | null): MeaningChange[] {
  const [old, now] = [negationScopesOf(before, language), negationScopesOf(after, language)];
  for (const [token, { raw, within, beside }] of old) {
    const other = now.get(token);
    if (other === undefined) continue;
    const out = [...within].find((stem) => !beside.has(stem) && other.beside.has(stem) && !other.within.has(stem));
    const into = [...beside].find((stem) => !within.has(stem) && other.within.has(stem) && !other.beside.has(stem));
    if (out !== undefined && into !== undefined)
      return [{ kind: "order", before: `${raw} … ${out}…`, after: `${raw} … ${into}…` }];
  }
  return [];
}

function negationScopesOf(text: string, language: FactLanguage | null) {
  const scopes = new Map<string, { raw: string; within: Set<string>; beside: Set<string> }>();
  const clauses = clausesOf(text, language).map((clause) => ({
    strict: factsOf(clause, language).strict,
    stems: contentStemsOf(clause, language),
  }));
  for (const { strict } of clauses)
    for (const { token, raw } of strict)
      if (!scopes.has(token)) scopes.set(token, { raw, within: new Set(), beside: new Set() });
  for (const [token, scope] of scopes)
    for (const { strict, stems } of clauses) {
      const side = strict.some((one) => one.token === token) ? scope.within : scope.beside;
      for (const stem of stems) side.add(stem);
    }
  return scopes;
}

function distinctChanges(changes: readonly MeaningChange[]): MeaningChange[] {
  return [
    ...new Map(changes.map((change) => [`${change.kind}\u0000${change.before}\u0000${change.after}`, change])).values(),
  ];
}
