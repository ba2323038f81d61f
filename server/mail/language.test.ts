/** Another language is one file of messages: with it, no notification and no email is left in English. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { spokenText } from "#core/language/catalog.ts";
import { english, setSpokenLanguage, type Language } from "#core/language/spoken.ts";
import { notificationKinds, type NotificationKind } from "#core/notifications/kinds.ts";
import { notificationSentence, type NotificationFacts } from "#core/notifications/texts.ts";
import { englishTexts } from "../../bin/texts.ts";
import { mailsTo, sendNotice, setEmail, afterMail } from "../../test/notices.ts";
import { sentEmails } from "../../test/emails.ts";
import { pseudo, pseudoTree } from "../../test/pseudo-language.ts";
import { json, password, startServer, type TestServer } from "../../test/server.ts";
import { recordVerification } from "../integrity/witness.ts";
import { digestWindowMs } from "../notifications/digest.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer("sqlite", { sendsEmail: true });
  setSpokenLanguage({ code: "en-XA", texts: pseudoTree(englishTexts("core", "server")) as Language["texts"] });
});
afterAll(async () => {
  setSpokenLanguage(english);
  await server.stop();
});

/** The words with an English vowel: the made-up language has none. Links, days and `data` don't count. */
function englishWords(text: string, data: readonly string[]): string[] {
  let left = text.replaceAll(/https?:\S+/g, "").replaceAll(/\p{L}{3} \d+, \d{4}(?:, \d+:\d\d [AP]M UTC)?/gu, "");
  for (const one of data.toSorted((a, b) => b.length - a.length)) left = left.replaceAll(one, "");
  return left.match(/\p{L}*[aeiouAEO]\p{L}*/gu) ?? [];
}

/** Facts of all texts that a notification of any kind can have. */
const details: readonly NotificationFacts["detail"][] = [
  { reviewBy: "2026-08-01", dueAt: "2026-08-01", name: "Ann", isNew: 1 },
  { dueAt: "2026-08-01", overdue: 1, kind: "archive", name: 1 },
  { overdue: 1, count: 2, name: 1, between: "Ann" },
  ...["accepted", "merged", "dismissed", "other"].map((state) => ({ state, name: 1 })),
].map((detail) => ({ from: "Ann", username: "Ann", ...detail }));

test.each(Object.keys(notificationKinds) as NotificationKind[])("a notification of %s has no English", (kind) => {
  for (const detail of details) {
    for (const actor of ["Ann", null]) {
      for (const sop of [null, { id: "1", number: "1", title: "2" }]) {
        for (const inEmail of [true, false]) {
          const sentence = notificationSentence({ kind, actor, sop, detail }, inEmail);
          expect(englishWords(spokenText(sentence), ["Ann", "Sopwright"])).toEqual([]);
        }
      }
    }
  }
});

test("each kind of email has no English", async () => {
  const { db, clock, running } = server;
  const company = await server.company();
  const [boss, reader] = [await company.user("company_admin"), await company.user("viewer")];
  const [bossMail, readerMail] = [await setEmail(server, boss), await setEmail(server, reader)];
  const [invited, created, renamed] = ["1@x.example", "2@x.example", "3@x.example"];

  // invitation, registered, password-reset-unconfirmed, token-created
  await boss.client.invitations.create({ body: { email: invited } });
  await boss.client.companyUsers.create({ body: { username: "u-2", name: "22", email: created } });
  await boss.client.tokens.create({ body: { name: "33" } });
  // password-changed, password-reset
  const other = await company.user("editor");
  const otherMail = await setEmail(server, other);
  await boss.client.companyUsers.update({ params: { id: other.id }, body: { password: `${password}-new` } });
  const body = JSON.stringify({ email: otherMail });
  await server.send({ method: "POST", path: "/api/auth/forgot-password", headers: json, body });
  // repository-heads
  await boss.client.company.update({ body: { settings: { witnessEmail: bossMail } } });
  const slug = (await running.services.companies.get(company.id))?.slug ?? "";
  const report = { events: 0, head: { main: null, history: null }, lag: 0, expectedSeq: 0, findings: [] };
  const options = { db, clock, config: { witnessFile: null } };
  for (const ok of [true, false]) await recordVerification(options, { _id: company.id, slug }, { ...report, ok });
  // notification, notifications
  const { id: sopId } = await boss.client.sops.create({
    body: { title: "44", description: "D", markdown: "M", status: "published" },
  });
  const actor = { _id: boss.id, name: boss.name };
  for (const notices of [1, 22]) {
    for (let n = 0; n < notices; n++) await sendNotice(server, [reader], { kind: "mention", sopId, actor });
    clock.advance(digestWindowMs);
    await afterMail(server, reader);
  }
  // email-confirmation, email-changed
  await reader.client.account.update({ body: { email: renamed } });
  await sentEmails(server);

  const addresses = [bossMail, readerMail, otherMail, invited, created, renamed];
  const mails = (await Promise.all(addresses.map((address) => mailsTo(server, address)))).flat();
  const data = [boss, reader, other].flatMap(({ name, username }) => [name, username]);
  for (const { subject, text } of mails)
    expect([
      subject,
      englishWords(`${subject}\n${text}`, [...data, slug, "Company", "u-2", "SOP-0001", "sops:read"]),
    ]).toEqual([subject, []]);

  const templates = englishTexts("server/mail")["server.mail"] as Record<string, { subject: string }>;
  const missing = Object.entries(templates).filter(([, { subject }]) => {
    const shape = new RegExp(`^${pseudo(subject).replaceAll(/\{\w+\}/g, ".+")}$`);
    return !mails.some((mail) => shape.test(mail.subject));
  });
  expect(missing).toEqual([]);
});
