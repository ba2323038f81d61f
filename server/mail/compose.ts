/** Composes emails from templates in plain text: a subject line, then the body, with {{values}}. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { paths } from "../paths.ts";
import { plainName, plainText } from "./plain-text.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export type MailTemplate =
  | "token-created"
  | "registered"
  | "password-reset"
  | "password-reset-unconfirmed"
  | "password-changed"
  | "email-changed"
  | "email-confirmation"
  | "invitation"
  | "repository-heads"
  | "notification"
  | "notifications";

/** A line of a list, with the link below it. */
export interface MailItem {
  text: string;
  link: string;
}

export type MailValues = Readonly<Record<string, string | readonly MailItem[]>>;

/** Values that are shown unchanged, because the server wrote them or made them safe for an email (`recipientNames`). */
const ours = new Set(["link", "url", "role", "scopes", "count", "username", "main", "history"]);
const dates = new Set(["at", "expiresAt"]);
/** Values that are whole sentences with names and titles in them. */
const sentences = new Set(["text"]);

/** @throws if a value is missing, because an email with a gap must not be sent */
export async function composeMail(to: string, template: MailTemplate, values: MailValues): Promise<Mail> {
  const source = await readFile(path.join(paths.mail, `${template}.txt`), "utf8");
  const [first = "", ...rest] = fillMailTemplate(source, values).split("\n");
  return { to, subject: first.replace(/^Subject: /, ""), text: rest.join("\n").trimStart() };
}

function fillMailTemplate(source: string, values: MailValues): string {
  return source.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the email needs ${name}`);
    if (typeof value !== "string")
      return value.map(({ text, link }) => `- ${plainText(text)}\n  ${collapseSpaces(link)}`).join("\n");
    if (ours.has(name)) return collapseSpaces(value);
    if (dates.has(name)) return formatMailDate(value);
    return sentences.has(name) ? plainText(value) : plainName(value);
  });
}

function collapseSpaces(value: string): string {
  return value.replaceAll(/\s+/g, " ");
}

const dateFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** Formats a time like "Jan 5, 2026, 3:04 PM UTC". */
function formatMailDate(iso: string): string {
  return `${dateFormat.format(new Date(iso)).replaceAll("\u202F", " ")} UTC`;
}
