import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { untranslated } from "#core/language/catalog.ts";
import { englishTexts } from "../../bin/texts.ts";
import { composeMail, type Mail, type MailTemplate, type MailValues } from "./compose.ts";
import { createMailer } from "./send.ts";

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "sopwright-mail-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const host = "https://procedures.a-company-with-a-long-name.example.org:8443";
const link = `${host}/reset-password?token=${"Ab-_".repeat(10)}xyz`;
const values: MailValues = {
  name: "Gràce Hopper",
  username: "grace",
  company: "Navy",
  invitedBy: "Ada",
  role: "Editor",
  url: host,
  link,
  at: "2026-01-05T15:04:00.000Z",
  expiresAt: "2026-04-05T15:04:00.000Z",
  token: "ci",
  scopes: "sops:read",
  count: "1",
  history: "1f3870be274f6c49b3e31a0c6728957f1f3870be",
  main: "8d777f385d3dfec8815d20f7496026dc8d777f38",
  text: "Ada mentioned you in a comment on SOP-0001 Lock out the press",
  items: [{ text: untranslated("Ada mentioned you"), link }],
};
/** What the server writes itself, or the form of which a rule fixes. */
const ours = new Set(["url", "link", "at", "expiresAt", "count", "role", "scopes", "username", "history", "main"]);
const log = { info: () => undefined };
const files = { smtpUrl: null, mailFrom: "Sopwright <noreply@example.org>" };
const delivery = { id: "0198f000-0000-7000-8000-000000000001", at: "2026-01-05T15:04:00.000Z" };
const sources = englishTexts("server/mail")["server.mail"] as Record<MailTemplate, { subject: string; text: string }>;
const templates = Object.keys(sources) as MailTemplate[];

async function fileOf(template: MailTemplate, given = values): Promise<string> {
  await createMailer({ ...files, dataDir }, log)(composeMail("grace@example.org", template, given), delivery);
  const [file = ""] = await readdir(path.join(dataDir, "mail"));
  return readFile(path.join(dataDir, "mail", file), "utf8");
}

test("a template becomes subject and text", () => {
  const mail = composeMail("grace@example.org", "registered", values);
  expect(mail.to).toBe("grace@example.org");
  expect(mail.subject).toBe("Welcome to Sopwright");
  expect(mail.text).toContain("Your account grace in “Navy” is ready:\n\nhttps://");
});

test("values of the outbox can be frozen", () => {
  const { text } = composeMail("grace@example.org", "registered", Object.freeze({ ...values, name: "evil.example" }));
  expect(text).toContain("Hello evil example,");
});

test("dates look as on screen", () => {
  const { text } = composeMail("grace@example.org", "token-created", values);
  expect(text).toContain("on Jan 5, 2026, 3:04 PM UTC.");
});

test("a missing value stops the email", () => {
  expect(() => composeMail("grace@example.org", "registered", { name: "Grace" })).toThrow("the email needs username");
});

describe.each(templates)("the email %s", (template) => {
  test("has each link whole on a line of its own, in the bytes of the file", async () => {
    const source = sources[template].text;
    const lines = (await fileOf(template)).split("\n").map((line) => line.trim());
    const expected = [/\{(?:link|items)\}/.test(source) ? [link] : [], /\{url\}/.test(source) ? [host] : []];
    for (const address of expected.flat())
      expect(lines.some((line) => (address === link ? line === link : line.startsWith(host)))).toBe(true);
    for (const line of lines.filter((one) => one.includes("://"))) expect(line).toMatch(/^https:\/\/\S+$/);
    expect(lines.some((line) => line.includes("Gràce"))).toBe(source.includes("{name}"));
  });

  test("shows no address, second line, control character or direction mark from any name", async () => {
    const plain = composeMail("grace@example.org", template, values);
    const linesOf = ({ subject, text }: Mail) => [subject.split("\n").length, text.split("\n").length];
    const part = fc.oneof(
      fc.constantFrom(
        "\r\n",
        "\nBcc: x@evil.example",
        "\u2028",
        "\u0085",
        "\0",
        "\x1b[31m",
        "\u202E",
        "\u2066",
        "\u200B",
      ),
      fc.constantFrom(
        "https://evil.example/a",
        "evil.example",
        "www.evil",
        "x@evil.example",
        "{{link}}",
        "{{url}}",
        "$&",
      ),
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.string({ maxLength: 100 }),
    );
    const hostile = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(" "));
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (one, other) => {
        const given = Object.fromEntries(
          Object.entries(values).map(([key, value], index) => {
            if (ours.has(key)) return [key, value];
            const text = index % 2 === 0 ? one : other;
            return [key, typeof value === "string" ? text : [{ text: untranslated(text), link }]];
          }),
        );
        const mail = composeMail("grace@example.org", template, given);
        expect(linesOf(mail)).toEqual(linesOf(plain));
        const shown = `${mail.subject}${mail.text.replaceAll("\n", "")}`;
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(shown.replaceAll(link, "").replaceAll(host, "")).not.toMatch(/evil\.example|:\/\/|www\.evil|\S@\S/);
        expect(mail.subject.length).toBeLessThan(400);
      }),
      { numRuns: 50 },
    );
  });
});

test("without SMTP an email is a file of the server's user, and the log says where", async () => {
  const lines: string[] = [];
  const written = pino({ level: "info" }, { write: (line) => void lines.push(line) });
  const send = createMailer({ ...files, dataDir }, written);
  await send(composeMail("grace@example.org", "password-reset", values), delivery);
  const [file = ""] = await readdir(path.join(dataDir, "mail"));
  const whole = path.join(dataDir, "mail", file);
  expect((await stat(path.join(dataDir, "mail"))).mode & 0o777).toBe(0o700);
  expect((await stat(whole)).mode & 0o777).toBe(0o600);
  const text = await readFile(whole, "utf8");
  for (const header of [
    "To: grace@example.org",
    "From: Sopwright <noreply@example.org>",
    "Subject: Set a new password",
    `Message-ID: <${delivery.id}@example.org>`,
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
  ])
    expect(text.split("\n\n")[0]?.split("\n")).toContain(header);
  expect(lines.length).toBe(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: 30, file: whole });
  expect(lines[0]).not.toContain("Ab-_");
});

test("a repeat of an email replaces its file", async () => {
  const send = createMailer({ ...files, dataDir }, log);
  const mail = composeMail("grace@example.org", "registered", values);
  await send(mail, delivery);
  await send(mail, delivery);
  expect((await readdir(path.join(dataDir, "mail"))).length).toBe(1);
});
