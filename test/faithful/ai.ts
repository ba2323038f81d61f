/** Measures the changes that AI can make unseen, on lists of edits and drafts. We wrote every word of them. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { textOfMeaningChange } from "#core/ai/changes.ts";
import { numberedBlocksOf } from "#core/ai/blocks.ts";
import { languageFault } from "#core/ai/compare-draft.ts";
import type { SopDraft } from "#core/ai/draft.ts";
import { checkDraft } from "#core/ai/generate.ts";
import { prepareTextForModel, tryEdits } from "#core/ai/improve.ts";
import type { FactLanguage } from "#core/ai/fact-words.ts";

const folder = path.join(import.meta.dirname, "..", "ai", "texts");

/** A line of a list: `de sign :: before => after`, with `\n` for a line end. */
export interface Pair {
  language: FactLanguage;
  kind: string;
  before: string;
  after: string;
}

export function pairsOf(file: string): Pair[] {
  return linesOf(file).map((line) => {
    const [, language = "", kind = "", before = "", after = ""] =
      /^(\w\w) ([\w ]+?) :: (.+?) =>(?: (.*))?$/.exec(line) ?? [];
    const text = (words: string) => words.replaceAll("\\n", "\n");
    return { language: language as FactLanguage, kind, before: text(before), after: text(after) };
  });
}

function linesOf(file: string): string[] {
  return readFileSync(path.join(folder, file), "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

/** A paragraph of each language, because a text has more than the edited block. */
const around: Readonly<Record<FactLanguage, string>> = {
  en: "This is the procedure for the work at the plant and for all people who take part in it.",
  de: "Das ist die Anweisung für die Arbeit an der Anlage und für alle, die bei ihr mitwirken.",
  fr: "Ceci est la procédure pour le travail dans les ateliers et pour tous ceux qui y participent.",
  es: "Este es el procedimiento para el trabajo en la planta y para todos los que participan en él.",
  it: "Questa è la procedura per il lavoro nel reparto e per tutti quelli che vi prendono parte.",
  pt: "Este é o procedimento para o trabalho na fábrica e para todos os que nele participam.",
  nl: "Dit is de werkwijze voor het werk in de fabriek en voor alle mensen die eraan meedoen.",
};

export interface Tried {
  pair: Pair;
  /** True if the product left the edit out because it would lose a fact. */
  isDropped: boolean;
  /** The marks that a person reads beside the edit. */
  marks: string[];
}

/** Checks an edit like a model's proposal, with the checks of the product. */
export function tryPair(pair: Pair, isAlone: boolean): Tried {
  const { body, findings } = prepareTextForModel(isAlone ? pair.before : `${around[pair.language]}\n\n${pair.before}`);
  const blockId = numberedBlocksOf(body).at(-1)?.id ?? "";
  const op = pair.after === "" ? ("delete" as const) : ("replace" as const);
  const proposals = [{ op, blockId, markdown: pair.after, why: "" }];
  const faults = findings.map(({ rule, message }) => `${rule} ${message}`);
  const tried = tryEdits({ body, taken: [], proposals, markdown: body, faults });
  const edit = tried.ok ? tried.edits[0] : undefined;
  const changes = edit?.changes ?? tried.dropped[0]?.changes ?? [];
  return { pair, isDropped: edit === undefined, marks: changes.map(textOfMeaningChange) };
}

export interface Figures {
  tried: number;
  /** Edits with the wrong result: without a mark, or with one. */
  wrong: Tried[];
}

const done = new Map<string, unknown>();

/** Does the work once for each list in a run. */
function once<Value>(file: string, work: () => Value): Value {
  if (!done.has(file)) done.set(file, work());
  return done.get(file) as Value;
}

/** Damaging edits that a person can accept without a mark. */
export function damageUnseen(file: string): Figures {
  return once(file, () => {
    const pairs = pairsOf(file);
    const tried = pairs.flatMap((pair) => [tryPair(pair, true), tryPair(pair, false)]);
    return { tried: pairs.length, wrong: tried.filter(({ isDropped, marks }) => !isDropped && marks.length === 0) };
  });
}

/** Good edits that were left out, or marked although they change no fact. */
export function goodMarked(file: string): Figures {
  return once(file, () => {
    const pairs = pairsOf(file);
    const tried = pairs.map((pair) => tryPair(pair, false));
    return { tried: pairs.length, wrong: tried.filter(({ isDropped, marks }) => isDropped || marks.length > 0) };
  });
}

/** A line of the list of drafts: `de :: request => step | step ## what must be marked; …`. */
export interface DraftCase {
  language: FactLanguage;
  request: string;
  steps: string[];
  /** Words that a blank or an open task must have. With `language`, the draft must be refused. */
  marked: string[];
}

export function draftsOf(file: string): DraftCase[] {
  return linesOf(file).map((line) => {
    const [, language = "", request = "", steps = "", marked = ""] =
      /^(\w\w) :: (.+?) => (.+?) ##(.*)$/.exec(line) ?? [];
    const list = (text: string, mark: string) =>
      text.split(mark).flatMap((one) => (one.trim() === "" ? [] : [one.trim()]));
    return { language: language as FactLanguage, request, steps: list(steps, "|"), marked: list(marked, ";") };
  });
}

/**
 * Differences between a draft and its request that no blank or task names, and marks of drafts without a difference.
 */
export function draftDifferences(file: string): { tried: number; unmarked: string[]; needless: string[] } {
  const cases = draftsOf(file);
  const unmarked: string[] = [];
  const needless: string[] = [];
  for (const { language, request, steps, marked } of cases) {
    const draft = draftWith(steps);
    const refused = languageFault(draft, language);
    const { draft: _, assumptions, body } = checkDraft(draft, { prompt: request, language });
    const blanks = body.replaceAll("\u00a0", " ").match(/confirm: [^\]]*/g) ?? [];
    const said = [...blanks, ...assumptions, ...(refused === null ? [] : ["language"])];
    const missing = marked.filter((words) => !said.some((text) => text.includes(words)));
    if (missing.length > 0) unmarked.push(`${language}: ${request} → ${missing.join("; ")}`);
    if (marked.length === 0 && said.length > 0) needless.push(`${language}: ${request} → ${said.join("; ")}`);
  }
  return { tried: cases.length, unmarked, needless };
}

function draftWith(steps: readonly string[]): SopDraft {
  const step = (text: string) => ({ text, role: null, warning: null, verify: null, sub: [] });
  return {
    title: "-",
    description: "-",
    purpose: "-",
    scope: "-",
    roles: [],
    equipment: [],
    warnings: [],
    sections: [{ heading: "-", steps: steps.map(step) }],
    records: [],
    references: [],
    assumptions: [],
    tags: [],
  };
}

export const damagingLists = [
  "damaging-edits.txt",
  "damaging-edits-held-out.txt",
  "exchanged-words.txt",
  "exchanged-words-held-out.txt",
];
export const goodLists = ["good-edits.txt", "good-edits-held-out.txt", "writer-edits.txt", "writer-edits-held-out.txt"];

export const draftLists = ["drafts.txt", "drafts-held-out.txt", "drafts-more-held-out.txt"];

/** The figures for `bench faithful` and the report of tests. */
export function aiFigures(): { name: string; value: number; of: number; goal: string }[] {
  const damage = damagingLists.map(damageUnseen);
  const good = goodLists.map(goodMarked);
  const drafts = draftLists.map(draftDifferences);
  const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
  return [
    {
      name: "damaging AI edits offered without a mark",
      value: total(damage.map(({ wrong }) => wrong.length)),
      of: total(damage.map(({ tried }) => tried)),
      goal: "= 0",
    },
    {
      name: "good AI edits marked without reason",
      value: total(good.map(({ wrong }) => wrong.length)),
      of: total(good.map(({ tried }) => tried)),
      goal: "<= 5 %",
    },
    {
      name: "differences of AI drafts from their requests without a mark",
      value: total(drafts.map(({ unmarked }) => unmarked.length)),
      of: total(drafts.map(({ tried }) => tried)),
      goal: "= 0",
    },
  ];
}
