/** Renders a comparison as text: lines, words or counts. */
import { diffLines } from "#core/diff/lines.ts";
import type { DiffFact } from "#core/diff/schema.ts";
import { countAndNoun } from "#core/text/count-and-noun.ts";
import { printableText, type CommandOutput } from "../output.ts";
import type { ComparedDocument } from "./compared.ts";

export interface DiffStat {
  facts: number;
  added: number;
  removed: number;
}

export function comparisonStatOf({ facts, before, after }: ComparedDocument): DiffStat {
  const lineCountOf = (kind: "added" | "removed") =>
    diffLines(before, after)
      .filter((part) => part.kind === kind)
      .reduce((sum, { text }) => sum + linesWithoutEnds(text).length, 0);
  return { facts: facts.length, added: lineCountOf("added"), removed: lineCountOf("removed") };
}

export function diffStatText(compared: ComparedDocument): string {
  const { facts, added, removed } = comparisonStatOf(compared);
  const { name, from, to } = compared;
  return `${printableText(`${name}, ${from} → ${to}`)}: ${countAndNoun(added, "line")} added, ${removed} removed, ${countAndNoun(facts, "fact")} changed\n`;
}

type PaintText = CommandOutput["paint"];

const contextLines = 3;

export async function lineDiff(compared: ComparedDocument, paint: PaintText): Promise<string> {
  const { structuredPatch } = await import("diff");
  const { before, after, facts } = compared;
  const { hunks } = structuredPatch("", "", before, after, undefined, undefined, { context: contextLines });
  if (facts.length + hunks.length === 0) return "";
  const body = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    paint("cyan", `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...lines.map((line) => coloredLine(line, paint)),
  ]);
  const head = facts.flatMap(({ field, from, to }) => [
    ...(from === null ? [] : [paint("red", `-${field}: ${printableText(from)}`)]),
    ...(to === null ? [] : [paint("green", `+${field}: ${printableText(to)}`)]),
  ]);
  return [...comparisonHeading(compared, paint), ...head, ...body].map((line) => `${line}\n`).join("");
}

function coloredLine(line: string, paint: PaintText): string {
  if (line.startsWith("+")) return paint("green", printableText(line));
  return line.startsWith("-") ? paint("red", printableText(line)) : printableText(line);
}

function comparisonHeading({ name, from, to }: ComparedDocument, paint: PaintText): string[] {
  return [paint("bold", `--- ${printableText(name)} ${from}`), paint("bold", `+++ ${printableText(name)} ${to}`)];
}

/** Characters that no text contains. They mark changed words until the lines are compared. */
const marks = { removed: ["\ue000", "\ue001"], added: ["\ue002", "\ue003"] } as const;

/** Shows removed words as `[-…-]` and added words as `{+…+}`, with the lines around them. */
export async function wordDiff(compared: ComparedDocument, paint: PaintText): Promise<string> {
  const { diffWordsWithSpace } = await import("diff");
  const markedWords = (before: string, after: string) =>
    diffWordsWithSpace(before, after)
      .map(({ value, added, removed }) =>
        added ? markEachLine(value, "added") : removed ? markEachLine(value, "removed") : value,
      )
      .join("");
  const facts = compared.facts.map(({ field, from, to }: DiffFact) => `${field}: ${markedWords(from ?? "", to ?? "")}`);
  const lines = linesWithoutEnds(markedWords(compared.before, compared.after));
  const isNearChange = (index: number) =>
    lines
      .slice(Math.max(0, index - contextLines), index + contextLines + 1)
      .some((line) => /[\ue000-\ue003]/.test(line));
  const shown: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (isNearChange(index)) shown.push(line);
    else if (shown.length > 0 && shown.at(-1) !== "…") shown.push("…");
  }
  if (facts.length + shown.length === 0) return "";
  const body = [...facts, ...shown].map((line) => wordMarksAsBrackets(printableText(line), paint));
  return [...comparisonHeading(compared, paint), ...body].map((line) => `${line}\n`).join("");
}

/** Marks each line by itself, so that the parts of a longer change stay marked. */
function markEachLine(value: string, kind: keyof typeof marks): string {
  const [open, close] = marks[kind];
  return value.replace(/[^\n]+/g, (text) => open + text + close);
}

function wordMarksAsBrackets(line: string, paint: PaintText): string {
  return line
    .replace(/\ue000([^\ue001]*)\ue001/g, (_, text: string) => paint("red", `[-${text}-]`))
    .replace(/\ue002([^\ue003]*)\ue003/g, (_, text: string) => paint("green", `{+${text}+}`));
}

function linesWithoutEnds(text: string): string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
