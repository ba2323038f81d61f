/** Error texts for fields, for schemas without a text of their own. */
import type { z } from "zod";

type InputIssue = z.core.$ZodRawIssue;

/** Parses the values of a request. @throws ZodError whose messages can be shown */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  return schema.parse(value, { error: inputText });
}

function inputText(issue: InputIssue): string {
  return `${fieldLabel(issue.path ?? [])} ${requirementPhrase(issue)}`;
}

/**
 * The predicate of an error text, such as `must be a number`. Callers put the name of the field or setting before it.
 */
export function requirementPhrase(issue: InputIssue): string {
  if (issue.input === undefined) return "is required";
  if (issue.input === null) return "can't be empty";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kinds[issue.expected] ?? "another kind of value"}`;
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "too_small":
      return `must ${limitPhrase(issue.origin, "least", Number(issue.minimum))}`;
    case "too_big":
      return `must ${limitPhrase(issue.origin, "most", Number(issue.maximum))}`;
    case "invalid_format":
      return `must be ${formats[issue.format] ?? "in the right format"}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    default:
      return "isn't valid";
  }
}

const kinds: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const formats: Record<string, string> = {
  uuid: "an id",
  email: "an email address",
  url: "a web address",
  datetime: "a time such as 2026-01-05T15:04:00Z",
  date: "a date such as 2026-01-05",
};

const units: Record<string, [one: string, many: string]> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
};

function limitPhrase(origin: string, which: "least" | "most", limit: number): string {
  const unit = units[origin];
  const amount = limit.toLocaleString("en");
  return unit ? `have at ${which} ${amount} ${limit === 1 ? unit[0] : unit[1]}` : `be at ${which} ${amount}`;
}

/** The name of a field, from its path: `["documents", 0, "categoryId"]` → "Category". */
function fieldLabel(path: readonly PropertyKey[]): string {
  const key = path.findLast((part): part is string => typeof part === "string");
  if (key === undefined) return "The body";
  const words = key
    .replace(/(?<=.)Id(s?)$/, "$1")
    .replaceAll(/[A-Z]+/g, (capitals) => ` ${capitals.toLowerCase()}`)
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
