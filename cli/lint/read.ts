/** Reads a document as text with its hash, or returns the finding that says why it can't be read. */
import { readFileSync, statSync } from "node:fs";
import { sha256Of } from "../hashing.ts";
import type { Finding } from "#core/lint/finding.ts";
import { limits } from "#core/limits.ts";
import { CliError, failureOf, messageWithoutPath } from "../exit.ts";
import { decodeSource, documentTooLargeError } from "../read-source.ts";
import type { LintTarget } from "./targets.ts";

export interface LintSource {
  text: string;
  sha256: string;
}

export type SourceOrFinding = LintSource | { unreadable: Finding };

/** Reads synchronously: for ten thousand small files, one after the other is faster. */
export function readLintTarget(target: LintTarget): SourceOrFinding {
  if (target.unreadable !== undefined) return { unreadable: target.unreadable };
  try {
    if (target.text !== undefined) return { text: target.text, sha256: sha256Of(target.text) };
    const { size } = statSync(target.file);
    if (size > limits.document) throw documentTooLargeError(target.shown, size);
    return decodeSource(readFileSync(target.file), target.shown);
  } catch (error) {
    return { unreadable: unreadableFileFinding(target.shown, error) };
  }
}

/**
 * Turns a file that can't be read into a finding, so that the run still checks other files. @throws errors that aren't
 * about the file
 */
export function unreadableFileFinding(shown: string, error: unknown): Finding {
  const { problem } = failureOf(error);
  if (!(error instanceof CliError) && problem.code !== "file") throw error;
  const message = messageWithoutPath(problem.message, problem.path ?? shown);
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
