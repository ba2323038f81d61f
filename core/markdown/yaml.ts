import { Lexer, parseDocument, visit, type Scalar } from "yaml";
import { AppError } from "#core/errors.ts";
import { refusals } from "./refusals.ts";

const longest = 64 * 1024;
const aliases = 16;

/**
 * Reads a YAML mapping: core schema (dates stay strings), at most 64 KiB, few aliases, no tags. Numbers and booleans in
 * another notation than JavaScript's (`1.10`, `010`, `0x1F`, `True`) stay text. Throws `invalid_input` with the line
 * (counted from `firstLine`) for invalid YAML.
 */
export function readYaml(raw: string, firstLine = 2): Record<string, unknown> {
  if (raw.length > longest) throw frontMatterError("size", firstLine);
  try {
    const document = parseDocument(raw, { schema: "core", customTags: [], logLevel: "silent" });
    const [error] = document.errors;
    if (error !== undefined) {
      throw frontMatterError("syntax", firstLine - 1 + (error.linePos?.[0].line ?? 1), firstSentence(error.message));
    }
    visit(document, { Scalar: (_, scalar) => keepSourceOfScalar(scalar) });
    const value: unknown = document.toJS({ maxAliasCount: aliases });
    // throws for an alias that refers to itself
    JSON.stringify(value);
    if (value === null || value === undefined) return {};
    if (typeof value !== "object" || Array.isArray(value)) throw frontMatterError("list", firstLine);
    return value as Record<string, unknown>;
  } catch (error) {
    if (error instanceof AppError) throw error;
    // the cause is an alias bomb, or nesting deeper than the stack
    throw frontMatterError("depth", firstLine);
  }
}

/** The comments of a YAML text, each with its `#`, and its line (1-based). */
export function yamlComments(raw: string): { text: string; line: number }[] {
  const comments: { text: string; line: number }[] = [];
  let line = 1;
  for (const token of new Lexer().lex(raw)) {
    if (token.startsWith("#")) comments.push({ text: token, line });
    line += token.split("\n").length - 1;
  }
  return comments;
}

function keepSourceOfScalar(scalar: Scalar): void {
  const { source, value } = scalar;
  if (source !== undefined && (typeof value === "number" || typeof value === "boolean") && String(value) !== source)
    scalar.value = source;
}

/** @param said the message of the YAML parser */
function frontMatterError(why: "size" | "list" | "depth" | "syntax", line: number, said = ""): AppError {
  return new AppError("invalid_input", refusals.unreadableFrontMatter({ why, line, said }), {
    line,
  });
}

function firstSentence(message: string): string {
  return message.split(/ at line \d+|\n/)[0] ?? message;
}
