/** Mail templates are plain text: a subject line, then the body, with {{values}}; a list of them is lines. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { paths } from "../paths.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export type MailTemplate =
  | "token-created"
  | "registered"
  | "password-reset"
  | "password-changed"
  | "email-changed"
  | "invitation"
  | "notification"
  | "notifications";

export type MailValues = Readonly<Record<string, string | readonly string[]>>;

/** @throws when the template asks for a value that is not there: a mail with a hole must not leave */
export async function composeMail(to: string, template: MailTemplate, values: MailValues): Promise<Mail> {
  const source = await readFile(path.join(paths.mail, `${template}.txt`), "utf8");
  const [first = "", ...rest] = fill(source, values).split("\n");
  return { to, subject: first.replace(/^Subject: /, ""), text: rest.join("\n").trimStart() };
}

function fill(source: string, values: MailValues): string {
  return source.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the mail needs ${name}`);
    return typeof value === "string" ? oneLine(value) : value.map(indented).join("\n");
  });
}

/** A name with a line break must not become a header or a line of its own. */
function oneLine(value: string): string {
  return value.replaceAll(/\s+/g, " ");
}
function indented(line: string): string {
  return `${/^ */.exec(line)?.[0] ?? ""}${oneLine(line.trimStart())}`;
}
