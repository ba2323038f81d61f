/** Measures how well `step/imperative` judges labeled steps: real ones of the corpus, and sentences of our own. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { lintText } from "#core/lint/engine.ts";
import { rules } from "#core/lint/rules/index.ts";
import { largeCorpus } from "../corpus.ts";
import { instructions, linesOf, statements } from "./sentences.ts";

const rule = "step/imperative";
const others = Object.fromEntries(rules.flatMap(({ id }) => (id === rule ? [] : [[id, "off" as const]])));

/**
 * `instruction`: begins with an instruction. `statement`: a step in another form. `no-step`: an item of a numbered list
 * that asks for no action. A warning there is as wrong as a warning on an instruction.
 */
const Labels = z.record(
  z.string(),
  z.array(z.tuple([z.int(), z.string(), z.enum(["instruction", "statement", "no-step"])])),
);

export interface Score {
  /** The number of labeled steps, without `no-step`. */
  steps: number;
  statements: number;
  /** The share of warnings that are on statements. */
  precision: number;
  /** The share of statements that have a warning. */
  recall: number;
}

/** The score; null without the corpus. A label whose line has changed is an error. */
export function scoreCorpus(): Score | null {
  if (largeCorpus === null) return null;
  const labels = Labels.parse(JSON.parse(readFileSync(join(import.meta.dirname, "step-labels.json"), "utf8")));
  const judged: Judged[] = [];
  for (const [path, entries] of Object.entries(labels)) {
    const text = readFileSync(join(largeCorpus, path), "utf8");
    const lines = text.split("\n");
    const warned = warnedLines(text, path);
    for (const [line, hash, label] of entries) {
      const found = createHash("sha256")
        .update(lines[line - 1] ?? "")
        .digest("hex");
      if (!found.startsWith(hash)) throw new Error(`${path}:${line} is no longer the line that was labelled`);
      judged.push({ label, warned: warned.has(line) });
    }
  }
  return score(judged);
}

export function scoreOwn(): Score {
  const judge = (label: Judged["label"], texts: readonly string[]): Judged[] =>
    texts.map((text) => ({ label, warned: warnedLines(`## Procedure\n\n1. ${text}\n`, "own.md").size > 0 }));
  return score([...judge("instruction", linesOf(instructions)), ...judge("statement", linesOf(statements))]);
}

interface Judged {
  label: "instruction" | "statement" | "no-step";
  warned: boolean;
}

function warnedLines(text: string, path: string): Set<number> {
  const findings = lintText(text, { path, preset: "recommended", rules: others });
  return new Set(findings.filter((finding) => finding.rule === rule).map(({ line }) => line));
}

function score(judged: readonly Judged[]): Score {
  const warnings = judged.filter(({ warned }) => warned);
  const right = warnings.filter(({ label }) => label === "statement").length;
  const all = judged.filter(({ label }) => label === "statement").length;
  return {
    steps: judged.filter(({ label }) => label !== "no-step").length,
    statements: all,
    precision: right / warnings.length,
    recall: right / all,
  };
}
