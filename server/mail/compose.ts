/**
 * Composes emails in plain text. All words of an email come from here, so that a single function chooses the
 * recipient's language.
 */
import { spokenText, type Sentence } from "#core/language/catalog.ts";
import { formatter } from "#core/language/formats.ts";
import { languageCode } from "#core/language/spoken.ts";
import { roleLabel } from "#core/permissions/roles.ts";
import { safeNameForEmail, safeTextForEmail } from "./plain-text.ts";
import { mailTexts } from "./texts.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export type MailTemplate = keyof typeof mailTexts;

/** A line of a list, with the link below it. */
export interface MailItem {
  text: Sentence;
  link: string;
}

export type MailValue = string | number | Sentence | readonly MailItem[];
export type MailValues = Readonly<Record<string, MailValue>>;

/**
 * Names of values that an email shows unchanged, because the server wrote these values or made them safe for an email
 * (`recipientNamesOf`).
 */
const valuesShownUnchanged = new Set(["link", "url", "scopes", "username", "main", "history"]);
const dates = new Set(["at", "expiresAt"]);
/** Names of values that are whole sentences with names and titles in them. */
const sentences = new Set(["text"]);

/**
 * Composes an email.
 * @throws if a value is missing, because an email with a gap must not be sent
 */
export function composeMail(to: string, template: MailTemplate, values: MailValues): Mail {
  const { subject, text } = mailTexts[template];
  // the proxy's target is empty, because a proxy can't replace the values of a frozen one
  const shown = new Proxy({}, { has: () => true, get: (_, name) => mailValueText(String(name), values[String(name)]) });
  const fill = (message: string | ((values: never) => string)) =>
    typeof message === "string" ? message : message(shown as never);
  return { to, subject: fill(subject), text: fill(text) };
}

/**
 * Returns a value in the form in which an email shows it.
 * @param value can be an English sentence, in an email that an earlier version queued
 */
function mailValueText(name: string, value: MailValue | undefined): string | number {
  if (value === undefined) throw new Error(`the email needs ${name}`);
  if (typeof value === "number") return value;
  if (isList(value))
    return value
      .map(({ text, link }) => `- ${safeTextForEmail(spokenText(text))}\n  ${collapseSpaces(link)}`)
      .join("\n");
  const said = typeof value === "string" ? value : spokenText(value);
  if (valuesShownUnchanged.has(name)) return collapseSpaces(said);
  if (dates.has(name)) return formatMailDate(said);
  if (name === "role") return roleLabel(said);
  return sentences.has(name) ? safeTextForEmail(said) : safeNameForEmail(said);
}

const isList = (value: MailValue): value is readonly MailItem[] => Array.isArray(value);

function collapseSpaces(value: string): string {
  return value.replaceAll(/\s+/g, " ");
}

/** Formats a time like "Jan 5, 2026, 3:04 PM UTC". */
function formatMailDate(iso: string): string {
  const format = formatter.getDateTimeFormat(languageCode(), {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `${format.format(new Date(iso)).replaceAll("\u202F", " ")} UTC`;
}
