/** Reads and writes a baseline: the findings that existed when a team began to lint, which the report leaves out. */
import { readFile } from "node:fs/promises";
import type { Finding } from "#core/lint/finding.ts";
import { invalidInputError } from "../exit.ts";
import { writeFileAtomically } from "../files.ts";
import { createFingerprinter } from "./fingerprint.ts";

export interface Baseline {
  /**
   * Returns the findings that the baseline doesn't list. Calls `text` only if the baseline lists findings of this file.
   */
  unlistedFindings(path: string, findings: readonly Finding[], text: () => string): Finding[];
  /** Returns the number of findings in the baseline that no longer occur. */
  fixedCount(): number;
}

const schema = "sop.lint-baseline/1";

interface BaselineFile {
  schema: typeof schema;
  /** Fingerprints of findings, by file and rule. */
  files: Record<string, Record<string, string[]>>;
}

/** @throws exit 2 for a file that is missing or no baseline */
export async function readBaseline(file: string, shown: string): Promise<Baseline> {
  const { files } = await readBaselineFile(file, shown);
  const known = new Map(Object.entries(files).map(([path, rules]) => [path, new Set(Object.values(rules).flat())]));
  let left = [...known.values()].reduce((sum, { size }) => sum + size, 0);
  return {
    unlistedFindings: (path, findings, text) => {
      const accepted = known.get(path);
      if (accepted === undefined || findings.length === 0) return [...findings];
      const print = createFingerprinter(text(), path);
      return findings.filter((finding) => {
        const isKnown = accepted.delete(print(finding));
        if (isKnown) left -= 1;
        return !isKnown;
      });
    },
    fixedCount: () => left,
  };
}

async function readBaselineFile(file: string, shown: string): Promise<BaselineFile> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw invalidInputError("no_match", `--baseline ${shown}: file not found`, {
      path: shown,
      hint: "add --update-baseline to write one",
    });
  });
  try {
    const value = JSON.parse(text) as BaselineFile;
    if (value.schema !== schema || typeof value.files !== "object") throw new Error("another schema");
    if (!Object.values(value.files).every((rules) => Object.values(rules).every(Array.isArray)))
      throw new Error("lists");
    return value;
  } catch {
    throw invalidInputError("baseline", `--baseline ${shown}: not a baseline of sop lint`, {
      path: shown,
      hint: "add --update-baseline to rewrite it",
    });
  }
}

export interface BaselineWriter {
  add(path: string, findings: readonly Finding[], text: () => string): void;
  /** Writes the baseline. Returns the number of its findings. */
  save(): Promise<number>;
}

export function createBaselineWriter(file: string): BaselineWriter {
  const files: BaselineFile["files"] = {};
  let count = 0;
  return {
    add: (path, findings, text) => {
      if (findings.length === 0) return;
      const print = createFingerprinter(text(), path);
      const rules: Record<string, string[]> = {};
      for (const finding of findings) (rules[finding.rule] ??= []).push(print(finding));
      files[path] = rules;
      count += findings.length;
    },
    save: async () => {
      await writeFileAtomically(file, `${JSON.stringify({ schema, files }, null, 2)}\n`);
      return count;
    },
  };
}
