/** The bytes of a document as text with their hash, or the finding that says why there is no text. */
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

/** Without waiting: ten thousand small files are read faster one after the other. */
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

/** A file that can't be read is a finding like any other, so that the others are checked all the same. */
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
