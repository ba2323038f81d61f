/** Reads a document as text with its hash, or returns the finding that says why it can't be read. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { Finding } from "#core/lint/finding.ts";
import { limits } from "#core/limits.ts";
import { CliError, failureOf } from "../exit.ts";
import { decodeSource, tooLarge } from "../read-source.ts";
import type { Target } from "./targets.ts";

export interface Source {
  text: string;
  sha256: string;
}

export type Read = Source | { unreadable: Finding };

/** Reads synchronously: for ten thousand small files, one after the other is faster. */
export function readTarget(target: Target): Read {
  if (target.unreadable !== undefined) return { unreadable: target.unreadable };
  try {
    if (target.text !== undefined) return { text: target.text, sha256: hashOf(target.text) };
    const { size } = statSync(target.file);
    if (size > limits.document) throw tooLarge(target.shown, size);
    return decodeSource(readFileSync(target.file), target.shown);
  } catch (error) {
    return { unreadable: unreadable(target.shown, error) };
  }
}

/** Turns a file that can't be read into a finding, so that the run still checks the others. */
export function unreadable(shown: string, error: unknown): Finding {
  const { problem } = failureOf(error);
  if (!(error instanceof CliError) && problem.code !== "file") throw error;
  const message = problem.message.slice(problem.message.indexOf(": ") + 2);
  const code = problem.code === "file" ? "unreadable" : problem.code.replaceAll("_", "-");
  return {
    rule: `parse/${code}`,
    severity: "error",
    message: problem.hint === undefined ? message : `${message}; ${problem.hint}`,
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 1,
  };
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
