/** Real mail servers on loopback: slow ones, mute ones, and ones that end the connection after taking an email. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mongoUri } from "../../test/database/mongo-uri.ts";
import { startServer, type TestServer } from "../../test/server.ts";
import { startSmtp, type SmtpBehavior, type SmtpServer } from "../../test/smtp.ts";
import { newId } from "#core/ids.ts";
import { PermanentFailure } from "../jobs/outbox.ts";
import { composeMail, type Mail } from "./compose.ts";
import { queueMail } from "./outbox.ts";
import { createMailer, smtpTimeouts, type SmtpTimeouts } from "./send.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const never = () => new Promise<never>(() => undefined);

async function smtp(behavior?: SmtpBehavior): Promise<SmtpServer> {
  const server = await startSmtp(behavior);
  stops.push(() => server.stop());
  return server;
}

describe("one email", () => {
  let mail: Mail;
  let dataDir = "";
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "sopwright-smtp-"));
    stops.push(() => rm(dataDir, { recursive: true, force: true }));
    const values = { name: "Grace", username: "grace", company: "Navy", url: "http://localhost:3000" };
    mail = composeMail("grace@example.org", "registered", values);
  });
  const mailer = ({ url }: SmtpServer, timeouts: SmtpTimeouts = smtpTimeouts) =>
    createMailer(
      { smtpUrl: url, mailFrom: "Sopwright <noreply@example.org>", dataDir },
      { info: () => undefined },
      timeouts,
    );
  const delivery = () => ({ id: newId(), at: "2026-01-05T15:04:00.000Z" });

  test("has the Message-ID of its order on every attempt", async () => {
    const server = await smtp();
    const order = delivery();
    const send = mailer(server);
    await send(mail, order);
    await send(mail, order);
    expect(server.taken.map(({ messageId }) => messageId)).toEqual([
      `<${order.id}@example.org>`,
      `<${order.id}@example.org>`,
    ]);
  });

  test.each([
    [
      "never greets",
      { mute: true },
      { greeting: 50 },
      "of SMTP_URL does not answer as it should: it accepts the connection and says nothing",
    ],
    [
      "never answers the text",
      { beforeAnswer: never },
      { silence: 50 },
      "of SMTP_URL does not answer as it should: it doesn't answer in time",
    ],
    ["takes too long in all", { beforeAnswer: never }, { total: 50 }, "took too long"],
  ])("is abandoned when the server %s, and the connection ends", async (_, behavior, timeouts, words) => {
    const server = await smtp(behavior);
    const sent = mailer(server, { ...smtpTimeouts, ...timeouts })(mail, delivery());
    await expect(sent).rejects.toThrow(`the mail server ${words}`);
    await expect.poll(() => server.connections().open).toBe(0);
  });

  test("says in words that no server is there", async () => {
    const server = await smtp();
    await server.stop();
    const sent = mailer(server)(mail, delivery());
    await expect(sent).rejects.toThrow(
      `the mail server of SMTP_URL does not answer as it should: nothing listens there: start it, or correct the address (${new URL(server.url).host})`,
    );
  });

  test("keeps an answer of the server as it is", async () => {
    const server = await smtp({ answer: "451 4.4.2 timeout: certificate of the next server not accepted" });
    await expect(mailer(server)(mail, delivery())).rejects.toThrow("451 4.4.2 timeout: certificate");
  });

  test("ends when the server that sends it stops", async () => {
    const stop = new AbortController();
    const server = await smtp({
      beforeAnswer: async () => {
        stop.abort();
        await new Promise(() => undefined);
      },
    });
    await expect(mailer(server)(mail, { ...delivery(), signal: stop.signal })).rejects.toThrow();
    await expect.poll(() => server.connections().open).toBe(0);
  });

  test("to an unknown recipient is not retried", async () => {
    const server = await smtp({ unknown: ["grace@example.org"] });
    await expect(mailer(server)(mail, delivery())).rejects.toBeInstanceOf(PermanentFailure);
  });

  test("has headers that a name can't add to", async () => {
    const server = await smtp();
    await mailer(server)({ ...mail, subject: "Hello\r\nBcc: all@example.org" }, delivery());
    expect(server.taken.length).toBe(1);
    expect(server.taken[0]?.raw).not.toMatch(/^Bcc:/m);
    expect(server.taken[0]?.to).toBe("grace@example.org");
  });
});

async function order(server: TestServer, to: string, companyId: string): Promise<void> {
  const values = { name: "Grace", username: "grace", company: "Navy", url: server.url };
  const at = server.clock.now();
  await server.db.transaction((tx) => queueMail(tx, { companyId, to, template: "registered", values, at }));
}

async function serverWith({ url }: SmtpServer, beside?: TestServer, engine: TestServer["engine"] = "sqlite") {
  const env = { SMTP_URL: url, MAIL_FROM: "Sopwright <noreply@example.org>" };
  const server = await startServer(engine, { env, ...(beside ? { beside } : {}) });
  stops.push(() => server.stop());
  return server;
}

describe("a server with a mail server", () => {
  test("sends the emails of other companies while one company's are slow", async () => {
    const gate = Promise.withResolvers<void>();
    const slow = await smtp({ beforeAnswer: ({ to }) => (to.startsWith("slow") ? gate.promise : Promise.resolve()) });
    const server = await serverWith(slow);
    for (let n = 0; n < 20; n++) await order(server, `slow-${n}@example.org`, "slow company");
    for (let n = 0; n < 5; n++) await order(server, `quick-${n}@example.org`, `company ${n}`);
    await expect.poll(() => slow.taken.length, { timeout: 20_000 }).toBe(5);
    expect(slow.taken.every(({ to }) => to.startsWith("quick"))).toBe(true);
    gate.resolve();
    await expect.poll(() => slow.taken.length, { timeout: 20_000 }).toBe(25);
    expect(new Set(slow.taken.map(({ to }) => to)).size).toBe(25);
  });

  test("repeats an email whose answer was lost as the same email", async () => {
    let cut = false;
    const lossy = await smtp({
      hangUpAfterTaking: () => {
        const first = !cut;
        cut = true;
        return first;
      },
    });
    const server = await serverWith(lossy);
    await order(server, "grace@example.org", "company");
    await expect
      .poll(async () => (await server.db.collection("outbox").findOne({ kind: "mail" }))?.attempts, { timeout: 20_000 })
      .toBe(1);
    server.clock.advance(2_000);
    await expect.poll(() => lossy.taken.length, { timeout: 20_000 }).toBe(2);
    expect(new Set(lossy.taken.map(({ messageId }) => messageId)).size).toBe(1);
    expect(await readdir(path.join(server.dataDir, "mail")).catch(() => "none")).toBe("none");
  });

  test("repeats a reset link as the same link", async () => {
    let cut = false;
    const lossy = await smtp({
      hangUpAfterTaking: () => {
        const first = !cut;
        cut = true;
        return first;
      },
    });
    const server = await serverWith(lossy);
    const user = await (await server.company()).user("editor");
    await server.db.collection("users").updateOne({ _id: user.id }, { $set: { email: "grace@example.org" } });
    await server.clientWith({}).auth.forgotPassword({ body: { email: "grace@example.org" } });
    await expect
      .poll(async () => (await server.db.collection("outbox").findOne({ kind: "password-reset" }))?.attempts, {
        timeout: 20_000,
      })
      .toBe(1);
    server.clock.advance(3 * 3_600_000);
    await expect.poll(() => lossy.taken.length, { timeout: 20_000 }).toBe(2);
    const links = lossy.taken.map(
      ({ raw }) => /token=([\w-]{43})/.exec(raw.replaceAll("=\r\n", "").replaceAll("=3D", "="))?.[1] ?? "",
    );
    expect(links[0]).toMatch(/.{43}/);
    expect(links[1]).toBe(links[0]);
    const state = await server.clientWith({}).auth.validateResetToken({ query: { token: links[0] } });
    expect(state.valid).toBe(true);
  });
});

describe.skipIf(mongoUri() === null)("two servers on one MongoDB", () => {
  test("send each email once through a slow mail server", async () => {
    const slow = await smtp({ beforeAnswer: () => new Promise((resolve) => setTimeout(resolve, 50)) });
    const one = await serverWith(slow, undefined, "mongodb");
    const two = await serverWith(slow, one, "mongodb");
    for (let n = 0; n < 20; n++) await order(n % 2 === 0 ? one : two, `to-${n}@example.org`, `company ${n % 3}`);
    const left = () => one.db.collection("outbox").countDocuments({ state: "pending" });
    await expect.poll(left, { timeout: 30_000 }).toBe(0);
    expect(slow.taken.map(({ to }) => to).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, n) => `to-${n}@example.org`).toSorted(),
    );
    expect(slow.connections().most).toBeGreaterThan(1);
  });

  test("send each other's links, though each has its own keys", async () => {
    const quick = await smtp();
    const one = await serverWith(quick, undefined, "mongodb");
    const two = await serverWith(quick, one, "mongodb");
    const company = await one.company();
    for (const [n, server] of [one, two, one, two].entries()) {
      const email = `shared-${n}@example.org`;
      const user = await company.user("editor");
      await one.db.collection("users").updateOne({ _id: user.id }, { $set: { email } });
      await server.clientWith({}).auth.forgotPassword({ body: { email } });
      await server.clientWith({ cookie: user.cookie }).account.sendConfirmation({ body: {} });
    }
    await expect.poll(() => quick.taken.length, { timeout: 20_000 }).toBe(8);
    expect(new Set(quick.taken.map(({ to }) => to)).size).toBe(4);
    const tokens = quick.taken.flatMap(({ raw }) =>
      [...raw.replaceAll("=\r\n", "").matchAll(/reset-password\?token=3D([\w-]{43})/g)].map(([, token = ""]) => token),
    );
    expect(tokens.length).toBe(4);
    for (const token of tokens)
      expect((await one.clientWith({}).auth.validateResetToken({ query: { token } })).valid).toBe(true);
  });
});
