/** What AI may change unseen, measured on lists of edits and drafts that we wrote: each word of them is made up. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { changeText } from "#core/ai/changes.ts";
import { blocksOf } from "#core/ai/blocks.ts";
import { readText, tryEdits } from "#core/ai/improve.ts";
import type { FactLanguage } from "#core/ai/fact-words.ts";

const folder = path.join(import.meta.dirname, "..", "ai", "texts");

/** One line of a list: `de sign :: before => after`, with `\n` for a line end. */
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

/** A paragraph of each language: a text has more than the edited block. */
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
  /** Left out: it would lose something. */
  isDropped: boolean;
  /** What a person reads beside it. */
  marks: string[];
}

/** An edit, as a model would propose it, through the checks of the product. */
export function tryPair(pair: Pair, isAlone: boolean): Tried {
  const { body, findings } = readText(isAlone ? pair.before : `${around[pair.language]}\n\n${pair.before}`);
  const blockId = blocksOf(body).at(-1)?.id ?? "";
  const op = pair.after === "" ? ("delete" as const) : ("replace" as const);
  const proposals = [{ op, blockId, markdown: pair.after, why: "" }];
  const faults = findings.map(({ rule, message }) => `${rule} ${message}`);
  const tried = tryEdits({ body, taken: [], proposals, markdown: body, faults });
  const edit = tried.ok ? tried.edits[0] : undefined;
  const changes = edit?.changes ?? tried.dropped[0]?.changes ?? [];
  return { pair, isDropped: edit === undefined, marks: changes.map(changeText) };
}

export interface Figures {
  tried: number;
  /** Edits that came without a mark, or with one. */
  wrong: Tried[];
}

/** Damaging edits that a person could accept without a mark. */
export function damageUnseen(file: string): Figures {
  const pairs = pairsOf(file);
  const tried = pairs.flatMap((pair) => [tryPair(pair, true), tryPair(pair, false)]);
  return { tried: pairs.length, wrong: tried.filter(({ isDropped, marks }) => !isDropped && marks.length === 0) };
}

/** Good edits that are left out or marked although they change nothing. */
export function goodMarked(file: string): Figures {
  const pairs = pairsOf(file);
  const tried = pairs.map((pair) => tryPair(pair, false));
  return { tried: pairs.length, wrong: tried.filter(({ isDropped, marks }) => isDropped || marks.length > 0) };
}
