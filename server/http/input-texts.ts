/** Error texts for fields, for schemas without a text of their own. */
import type { z } from "zod";
import { saySentence } from "#core/contract/parts.ts";
import { sentences, type MessageWithId } from "#core/language/catalog.ts";

type InputIssue = z.core.$ZodRawIssue;

const texts = sentences("server.http.input-texts", {
  wrong: "{field} {requirement}",
  body: "The body",
  required: "is required",
  filled: "can't be empty",
  valid: "isn't valid",
  text: "must be text",
  number: "must be a number",
  whole: "must be a whole number",
  boolean: "must be true or false",
  list: "must be a list",
  object: "must be an object",
  otherKind: "must be another kind of value",
  value: "must be {values}",
  oneOf: "must be one of {values}",
  least: "must be at least {limit, number}",
  most: "must be at most {limit, number}",
  leastCharacters: "must have at least {limit, plural, one {# character} other {# characters}}",
  mostCharacters: "must have at most {limit, plural, one {# character} other {# characters}}",
  leastEntries: "must have at least {limit, plural, one {# entry} other {# entries}}",
  mostEntries: "must have at most {limit, plural, one {# entry} other {# entries}}",
  multiple: "must be a multiple of {divisor}",
  id: "must be an id",
  email: "must be an email address",
  address: "must be a web address",
  time: "must be a time such as 2026-01-05T15:04:00Z",
  date: "must be a date such as 2026-01-05",
  format: "must be in the right format",
});

/** Parses the values of a request. @throws ZodError whose messages can be shown */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  return schema.parse(value, { error: inputText });
}

function inputText(issue: InputIssue): string {
  const field = fieldLabel(issue.path ?? []) ?? texts.body();
  return saySentence(issue, texts.wrong({ field, requirement: requirementSentence(issue) }));
}

/**
 * The predicate of an error text, such as `must be a number`. Callers put the name of the setting before it.
 */
export const requirementPhrase = (issue: InputIssue): string => requirementSentence(issue).text;

function requirementSentence(issue: InputIssue): MessageWithId {
  if (issue.input === undefined) return texts.required();
  if (issue.input === null) return texts.filled();
  switch (issue.code) {
    case "invalid_type":
      return (kinds[issue.expected] ?? texts.otherKind)();
    case "invalid_value": {
      const values = issue.values.map(String).join(", ");
      return issue.values.length === 1 ? texts.value({ values }) : texts.oneOf({ values });
    }
    case "too_small":
      return (lower[issue.origin] ?? texts.least)({ limit: Number(issue.minimum) });
    case "too_big":
      return (upper[issue.origin] ?? texts.most)({ limit: Number(issue.maximum) });
    case "invalid_format":
      return (formats[issue.format] ?? texts.format)();
    case "not_multiple_of":
      return texts.multiple({ divisor: Number(issue.divisor) });
    default:
      return texts.valid();
  }
}

const kinds: Record<string, () => MessageWithId> = {
  string: texts.text,
  number: texts.number,
  int: texts.whole,
  boolean: texts.boolean,
  array: texts.list,
  object: texts.object,
  record: texts.object,
};

const formats: Record<string, () => MessageWithId> = {
  uuid: texts.id,
  email: texts.email,
  url: texts.address,
  datetime: texts.time,
  date: texts.date,
};

const lower: Record<string, (values: { limit: number }) => MessageWithId> = {
  string: texts.leastCharacters,
  array: texts.leastEntries,
};
const upper: Record<string, (values: { limit: number }) => MessageWithId> = {
  string: texts.mostCharacters,
  array: texts.mostEntries,
};

/** The name of a field, from its path: `["documents", 0, "categoryId"]` → "Category"; null for the whole. */
function fieldLabel(path: readonly PropertyKey[]): string | null {
  const key = path.findLast((part): part is string => typeof part === "string");
  if (key === undefined) return null;
  const words = key
    .replace(/(?<=.)Id(s?)$/, "$1")
    .replaceAll(/[A-Z]+/g, (capitals) => ` ${capitals.toLowerCase()}`)
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
