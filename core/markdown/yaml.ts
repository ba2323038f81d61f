import { parseDocument } from "yaml";
import { AppError } from "#core/errors.ts";

const longest = 64 * 1024;
const aliases = 16;

/**
 * Reads a YAML mapping: core schema (dates stay strings), at most 64 KiB, few aliases, no tags.
 * Throws `invalid_input` with the line (counted from `firstLine`) where it is broken.
 */
export function readYaml(raw: string, firstLine = 2): Record<string, unknown> {
  if (raw.length > longest) throw broken("is larger than 64 KiB", firstLine);
  try {
    const document = parseDocument(raw, { schema: "core", customTags: [], logLevel: "silent" });
    const [error] = document.errors;
    if (error !== undefined) {
      throw broken(firstSentence(error.message), firstLine - 1 + (error.linePos?.[0].line ?? 1));
    }
    const value: unknown = document.toJS({ maxAliasCount: aliases });
    // throws where an alias leads back to itself
    JSON.stringify(value);
    if (value === null || value === undefined) return {};
    if (typeof value !== "object" || Array.isArray(value))
      throw broken("is not a list of `key: value` lines", firstLine);
    return value as Record<string, unknown>;
  } catch (error) {
    if (error instanceof AppError) throw error;
    // An alias bomb or nesting deeper than the stack.
    throw broken("nests or repeats itself too often", firstLine);
  }
}

function broken(why: string, line: number): AppError {
  return new AppError(
    "invalid_input",
    `The front matter ${why} (line ${line}). Correct that line, or remove the block`,
    {
      line,
    },
  );
}

function firstSentence(message: string): string {
  return `can't be read: ${message.split(/ at line \d+|\n/)[0] ?? message}`;
}
