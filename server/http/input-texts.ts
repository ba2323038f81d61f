/** Creates messages about invalid fields, for schemas without a message. */
import { z } from "zod";
import { addSentenceId } from "#core/contract/parts.ts";
import {
  messageAndReasonOf,
  sentenceOfMessage,
  sentences,
  type MessageWithId,
  type Sentence,
} from "#core/language/catalog.ts";

type InputIssue = z.core.$ZodRawIssue;

const refusals = sentences("server.http.input-texts", {
  field: "“{field}” {requirement}",
  body: "The body {requirement}",
  missing: "is required",
  empty: "can't be empty",
  kind: "must be {kind, select, string {text} number {a number} int {a whole number} boolean {true or false} array {a list} object {an object} record {an object} other {another kind of value}}",
  value: "must be {value}",
  values: "must be one of {values}",
  least: "must be at least {least, number}",
  most: "must be at most {most, number}",
  leastCharacters: "must have at least {least, plural, one {# character} other {# characters}}",
  mostCharacters: "must have at most {most, plural, one {# character} other {# characters}}",
  leastEntries: "must have at least {least, plural, one {# entry} other {# entries}}",
  mostEntries: "must have at most {most, plural, one {# entry} other {# entries}}",
  format:
    "must be {format, select, uuid {an id} email {an email address} url {a web address} datetime {a time such as 2026-01-05T15:04:00Z} date {a date such as 2026-01-05} other {in the right format}}",
  multiple: "must be a multiple of {divisor, number}",
  other: "isn't valid",
});

/** Parses the input of a request. @throws ZodError whose messages can be shown to users, with their ids */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value, { error: (issue) => addSentenceId(issue, requirementOf(issue)) });
  if (read.success) return read.data;
  throw new z.ZodError(read.error.issues.map(issueWithField));
}

/**
 * Adds the name of the field to a message, as in the call: `documents.0.sha256`. Keeps a message that the schema
 * defines. The field of an issue inside a union is only known here.
 */
function issueWithField(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  const requirement = sentenceOfMessage(issue);
  if (requirement.id === undefined || !isRequirement(requirement)) return issue;
  const field = issue.path.join(".");
  const named = field === "" ? refusals.body({ requirement }) : refusals.field({ field, requirement });
  return { ...issue, ...messageAndReasonOf(named) };
}

const isRequirement = ({ id = "" }: Sentence) => id.startsWith("server.http.input-texts.");

/** Returns the end of a message, such as `must be a number`. Callers put the name of the field or setting before it. */
export function requirementOf(issue: InputIssue): MessageWithId {
  if (issue.input === undefined) return refusals.missing();
  if (issue.input === null) return refusals.empty();
  switch (issue.code) {
    case "invalid_type":
      return refusals.kind({ kind: issue.expected });
    case "invalid_value":
      return issue.values.length === 1
        ? refusals.value({ value: String(issue.values[0]) })
        : refusals.values({ values: issue.values.map(String).join(", ") });
    case "too_small":
      return leastRequirement(issue.origin, Number(issue.minimum));
    case "too_big":
      return mostRequirement(issue.origin, Number(issue.maximum));
    case "invalid_format":
      return refusals.format({ format: issue.format });
    case "not_multiple_of":
      return refusals.multiple({ divisor: Number(issue.divisor) });
    default:
      return refusals.other();
  }
}

function leastRequirement(origin: string, least: number): MessageWithId {
  if (origin === "string") return refusals.leastCharacters({ least });
  return origin === "array" ? refusals.leastEntries({ least }) : refusals.least({ least });
}

function mostRequirement(origin: string, most: number): MessageWithId {
  if (origin === "string") return refusals.mostCharacters({ most });
  return origin === "array" ? refusals.mostEntries({ most }) : refusals.most({ most });
}
