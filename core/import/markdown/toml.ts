import { AppError } from "#core/errors.ts";
import { refusals } from "./refusals.ts";

/** The values and comments of a header, and the lines of its keys. Lines count from 1 in the file. */
export interface Toml {
  values: Record<string, unknown>;
  comments: { text: string; line: number }[];
  lines: Map<string, number>;
}

/** Matches a value: a text in quotes, or a number, boolean or date without quotes. */
const scalar = String.raw`"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,[\]"'#]+(?: \d\d:[\d:.]+(?:Z|[-+][\d:]+)?)?`;
const list = String.raw`\[[ \t]*(?:(?:${scalar})[ \t]*(?:,[ \t]*|(?=\])))*\]`;
const line = new RegExp(
  String.raw`^(?:\[(?<table>[\w.-]+)\]|(?<key>[\w.-]+|"[^"]+")[ \t]*=[ \t]*(?:(?<one>${scalar})|(?<list>${list})))?[ \t]*(?<comment>#.*)?$`,
);

/**
 * Reads the simple TOML of site generators: `key = value` with texts, numbers, booleans, dates and lists on one line. A
 * line `[table]` puts its name before the keys below. @throws AppError `invalid_input` with the line
 */
export function readToml(raw: string, firstLine = 2): Toml {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const comments: Toml["comments"] = [];
  const lines: Toml["lines"] = new Map();
  let table = "";
  raw.split("\n").forEach((text, index) => {
    const found = line.exec(text.trim())?.groups;
    if (found === undefined) throw unreadableTomlError(firstLine + index);
    const { key, one, list: items, comment } = found;
    if (comment !== undefined) comments.push({ text: comment, line: firstLine + index });
    if (found["table"] !== undefined) table = `${found["table"]}.`;
    if (key === undefined) return;
    const name = table + key.replaceAll('"', "");
    const read = one === undefined ? (items?.match(new RegExp(scalar, "g")) ?? []).map(readScalar) : readScalar(one);
    const isUnreadable = read === undefined || (Array.isArray(read) && read.includes(undefined));
    if (isUnreadable || Object.hasOwn(values, name)) throw unreadableTomlError(firstLine + index);
    values[name] = read;
    lines.set(name, firstLine + index);
  });
  return { values, comments, lines };
}

/** Parses a value. A number that JavaScript would write differently, such as `1.0`, stays text. */
function readScalar(text: string): unknown {
  if (text.startsWith("'")) return text.slice(1, -1);
  try {
    const read = JSON.parse(text) as unknown;
    return typeof read === "number" && String(read) !== text ? text : read;
  } catch {
    return text.startsWith('"') ? undefined : text;
  }
}

function unreadableTomlError(line: number): AppError {
  return new AppError("invalid_input", refusals.unreadableHeader({ line }), {
    line,
  });
}
