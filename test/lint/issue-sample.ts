/**
 * Issues of the corpus for people to judge. Each rule has the same number, evenly spread, so that rare rules are seen
 * too.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { lintAcross } from "#core/lint/across.ts";
import { lintFile } from "#core/lint/engine.ts";
import type { PresetName } from "#core/lint/rule.ts";
import { corpusFiles, largeCorpus, smallCorpus, textOf } from "../corpus.ts";

export interface SampledIssue {
  rule: string;
  path: string;
  line: number;
  message: string;
  /** The line, for reading; only its hash is stored. */
  source: string;
  /** The hash of message and line. A judgment is valid as long as both stay the same. */
  hash: string;
}

const roots = [smallCorpus, ...(largeCorpus === null ? [] : [largeCorpus])];

export function issuesOfCorpus(preset: PresetName): SampledIssue[] {
  const files = corpusFiles(".md").map((file) => ({ path: file.name, text: textOf(file) }));
  const linted = files.map(({ path, text }) => ({ path, text, ...lintFile(text, { path, preset }) }));
  const facts = linted.map((one) => one.facts);
  const exists = (path: string): boolean => roots.some((root) => existsSync(join(root, path)));
  const across = lintAcross(facts, { preset }, { today: "2026-11-21", exists });
  return linted.flatMap(({ path, text, findings }) => {
    const lines = text.split("\n");
    return [...findings, ...(across.get(path) ?? [])].map(({ rule, line, endLine, message }) => {
      const source = lines.slice(line - 1, endLine).join("\n");
      const hash = createHash("sha256").update(`${message}\n${source}`).digest("hex").slice(0, 12);
      return { rule, path, line, message, source, hash };
    });
  });
}

/** At most `most` issues: the same number for each rule, evenly spread over the files. */
export function sampled(issues: readonly SampledIssue[], most: number): SampledIssue[] {
  const byRule = [...Map.groupBy(issues, ({ rule }) => rule).values()].sort((a, b) => a.length - b.length);
  const chosen: SampledIssue[] = [];
  byRule.forEach((list, index) => {
    const share = Math.ceil((most - chosen.length) / (byRule.length - index));
    const count = Math.min(share, list.length);
    for (let at = 0; at < count; at += 1) {
      const one = list[Math.floor(((at + 0.5) * list.length) / count)];
      if (one !== undefined) chosen.push(one);
    }
  });
  return chosen;
}
