import { AppError } from "#core/errors.ts";

/**
 * Reads the flat part of TOML that site generators write into a header: `key = value` with texts, numbers, booleans,
 * dates and lists on one line. `[table]` puts its name before the keys below it. Throws `invalid_input` with the line.
 */
export function readToml(raw: string, firstLine = 2): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let table = "";
  raw.split("\n").forEach((text, index) => {
    const line = text.trim();
    if (line === "" || line.startsWith("#")) return;
    const name = /^\[([\w.-]+)\]$/.exec(line)?.[1];
    if (name !== undefined) {
      table = `${name}.`;
      return;
    }
    const [, key, value] = /^([\w.-]+|"[^"]+")[ \t]*=[ \t]*(.+)$/.exec(line) ?? [];
    const read = value === undefined ? undefined : readValue(value);
    if (key === undefined || read === undefined) throw unreadable(firstLine + index);
    values[table + key.replaceAll('"', "")] = read;
  });
  return values;
}

function readValue(text: string): unknown {
  const literal = /^'([^']*)'$/.exec(text)?.[1];
  if (literal !== undefined) return literal;
  if (/^\d{4}-\d\d-\d\d/.test(text)) return text;
  try {
    return JSON.parse(text.replace(/,[ \t]*\]$/, "]")) as unknown;
  } catch {
    return undefined;
  }
}

function unreadable(line: number): AppError {
  return new AppError(
    "invalid_input",
    `The +++ header can't be read (line ${line}). Write it as YAML between two lines of ---`,
    {
      line,
    },
  );
}
