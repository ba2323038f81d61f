import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { composeMail } from "./compose.ts";
import { createMailer } from "./send.ts";

let dataDir = "";
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "sopwright-mail-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const values = { name: "Grace", username: "grace", company: "Navy", url: "http://localhost:3000" };

test("a template becomes subject and text", async () => {
  const mail = await composeMail("grace@example.org", "registered", values);
  expect(mail.to).toBe("grace@example.org");
  expect(mail.subject).toBe("Welcome to Sopwright");
  expect(mail.text).toContain('your account grace is ready, and so is "Navy".');
});

test("a value that is missing stops the mail", async () => {
  await expect(composeMail("grace@example.org", "registered", { name: "Grace" })).rejects.toThrow(
    "the mail needs username",
  );
});

test("a name with line breaks stays one line", async () => {
  const mail = await composeMail("grace@example.org", "registered", { ...values, name: "Grace\nBcc: all@example.org" });
  expect(mail.text).toContain("Hello Grace Bcc: all@example.org,");
});

test("without SMTP a mail is an .eml file", async () => {
  const send = createMailer({ smtpUrl: null, mailFrom: "Sopwright <noreply@example.org>", dataDir });
  await send(await composeMail("grace@example.org", "registered", values));
  const [file = ""] = await readdir(path.join(dataDir, "mail"));
  expect(file).toMatch(/\.eml$/);
  const text = await readFile(path.join(dataDir, "mail", file), "utf8");
  expect((await stat(path.join(dataDir, "mail"))).mode & 0o777).toBe(0o700);
  expect((await stat(path.join(dataDir, "mail", file))).mode & 0o777).toBe(0o600);
  expect(text).toContain("To: grace@example.org");
  expect(text).toContain("From: Sopwright <noreply@example.org>");
  expect(text).toContain("Subject: Welcome to Sopwright");
});
