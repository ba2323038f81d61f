/** What one user can have sent to addresses of others: a stranger may have registered. */
import { expect, test } from "vitest";
import type { Role } from "#core/permissions/roles.ts";
import { limits } from "#core/limits.ts";
import { notifyUsers } from "../notifications/notify.ts";
import { digestWindowMs } from "../notifications/digest.ts";
import { transactionFor } from "../database/turns.ts";
import { emailsTo, sentEmails, writtenEmails } from "../../test/emails.ts";
import { describeServer, password, type TestUser } from "../../test/server.ts";

const day = 24 * 3_600_000;

describeServer(
  "emails to others",
  (server, engine) => {
    const users = () => server().db.collection("users");
    const give = (user: TestUser, email: string | null, emailVerified: boolean) =>
      users().updateOne({ _id: user.id }, { $set: { email, emailVerified } });
    const unbrake = () => server().db.collection("limiters").deleteMany({});

    const to = (address: string) => emailsTo(server(), address);

    test("go to no one invited by a stranger who registered", { timeout: 60_000 }, async () => {
      const stranger = await server().signUp(`mallory-${engine}`);
      const name = "Your mailbox is full, sign in at https://evil.example/login to keep it";
      await stranger.client.company.update({ body: { name } });
      for (let n = 0; n < 60; n++) {
        const { unsent, link } = await stranger.client.invitations.create({
          body: { email: `victim-${n}@${engine}.example` },
        });
        expect([unsent, /invite=[\w-]{43}$/.test(link)]).toEqual(["unconfirmed", true]);
      }
      expect((await sentEmails(server())).filter((mail) => mail.includes("victim-"))).toEqual([]);
    });

    test(
      "are limited to twenty a day for a new company, more for an older one; links can be copied beyond",
      { timeout: 120_000 },
      async () => {
        await unbrake();
        const { client, ...admin } = await (await server().company()).user("company_admin");
        await give({ client, ...admin }, `${admin.username}@example.org`, true);
        const invite = async (count: number) => {
          const answers: string[] = [];
          for (let n = 0; n < count; n++)
            answers.push(
              (await client.invitations.create({ body: { email: `${admin.username}-${n}@x.example` } })).unsent ??
                "sent",
            );
          return answers;
        };
        expect(await invite(limits.emailsOfNewCompanyDay + 2)).toEqual([
          ...Array.from({ length: limits.emailsOfNewCompanyDay }, () => "sent"),
          "limit",
          "limit",
        ]);
        server().clock.advance(8 * day);
        await unbrake();
        await client.account.prove({ body: { currentPassword: password } });
        expect(new Set(await invite(limits.emailsOfNewCompanyDay + 5))).toEqual(new Set(["sent"]));
      },
    );

    test("count together for two accounts with one address", async () => {
      await unbrake();
      const email = `shared-${engine}@example.org`;
      const [one, two] = [
        await (await server().company()).user("company_admin"),
        await (await server().company()).user("company_admin"),
      ];
      for (const user of [one, two]) await give(user, email, true);
      server().clock.advance(8 * day);
      for (const user of [one, two]) await user.client.account.prove({ body: { currentPassword: password } });
      const limiters = server().db.collection("limiters");
      await one.client.invitations.create({ body: { email: "first@x.example" } });
      await limiters.updateMany({ points: 1 }, { $set: { points: limits.emailsOfUserDay } });
      expect((await two.client.invitations.create({ body: { email: "second@x.example" } })).unsent).toBe("limit");
      await unbrake();
    });

    test("show the company's name in an invitation without its address", async () => {
      const admin = await (await server().company()).user("company_admin", { name: "Mallory evil.example" });
      await give(admin, `${admin.username}@example.org`, true);
      // a name from before such names were refused
      const name = "Sign in at https://evil.example/login \u202Eto keep it";
      await server().db.collection("companies").updateOne({ _id: admin.companyId }, { $set: { name } });
      const address = `guest-${engine}@x.example`;
      await admin.client.invitations.create({ body: { email: address } });
      const [mail = ""] = await to(address);
      expect(mail).toContain(
        `\nMallory evil example (${admin.username}) invites you to write and review procedures in “Sign in at … to keep it”`,
      );
      expect(mail).not.toMatch(/evil\.example|\u202E/);
    });

    test.each([
      ["company_admin", "companyUsers"],
      ["system_admin", "adminUsers"],
    ] as const)(
      "for new users and password resets go out from a %s, or copied links replace them",
      async (role, group) => {
        const admin = await (await server().company()).user(role);
        const calls = admin.client[group];
        const person = (n: number) => ({
          username: `${admin.username}-${n}`,
          name: "New Person",
          email: `${admin.username}-${n}@x.example`,
        });
        const first = await calls.create({ body: person(1) });
        const reset = await calls.resetPassword({ params: { id: first.id } });
        if (role === "system_admin") {
          // operators make them: no confirmation is asked for
          expect([first.unsent, first.link, reset]).toEqual([undefined, undefined, { sent: true }]);
          return;
        }
        expect([first.unsent, reset.unsent, reset.sent]).toEqual(["unconfirmed", "unconfirmed", false]);
        expect([first.link, reset.link].every((link) => link?.includes("/reset-password?token="))).toBe(true);
        expect(await to(person(1).email)).toEqual([]);
        await give(admin, `${admin.username}@example.org`, true);
        const second = await calls.create({ body: person(2) });
        expect([second.unsent, second.link]).toEqual([undefined, undefined]);
        expect((await to(person(2).email)).length).toBe(2);
        // a confirmed address is the user's own
        await users().updateOne({ _id: first.id }, { $set: { emailVerified: true } });
        await give(admin, null, false);
        expect(await calls.resetPassword({ params: { id: first.id } })).toEqual({ sent: true });
      },
    );

    test("of notifications and account news don't go to an unconfirmed address", async () => {
      const company = await server().company();
      const user = await company.user("editor");
      const address = `${user.username}@x.example`;
      const happen = async () => {
        const notice = { kind: "mention" as const, sopId: null, actor: null, at: server().clock.now() };
        await transactionFor(server().db, user.companyId, (tx) =>
          notifyUsers(tx, { ...notice, companyId: user.companyId, to: [user.id] }),
        );
        await user.client.tokens.create({ body: { name: "ci" } });
        server().clock.advance(digestWindowMs);
      };
      await give(user, address, false);
      await happen();
      expect(await to(address)).toEqual([]);
      await give(user, address, true);
      await happen();
      expect((await to(address)).length).toBeGreaterThan(0);
    });
  },
  { sendsEmail: true },
);

describeServer(
  "confirming an address",
  (server, engine) => {
    const users = () => server().db.collection("users");
    const mailbox = (address: string) => ({
      async newest(count: number): Promise<string> {
        const find = async () =>
          (await writtenEmails(server())).filter((text) =>
            text.includes(`
To: ${address}
`),
          );
        await expect.poll(async () => (await find()).length, { timeout: 20_000 }).toBe(count);
        return (await find()).at(-1) ?? "";
      },
    });
    const tokenIn = (mail: string) => /^\S+\/confirm-email\?token=([\w-]{43})$/m.exec(mail)?.[1] ?? "";
    const confirm = (token: string) => server().clientWith({}).auth.confirmEmail({ body: { token } });
    const refused = { status: 400, details: { token: "Invalid or expired link" } };

    test("accepts the link from the email, once", async () => {
      const username = `ada-${engine}`;
      const email = `${username}@example.org`;
      await server()
        .clientWith({})
        .auth.register({ body: { username, password, name: "Evil Example", email } });
      const mail = await mailbox(email).newest(1);
      expect(mail).not.toMatch(/evil/i);
      const token = tokenIn(mail);
      const { db } = server();
      expect(
        JSON.stringify([await db.collection("outbox").find({}), await db.collection("email_confirmations").find({})]),
      ).not.toContain(token);
      await confirm(token);
      const user = await users().findOne({ username });
      expect(user?.emailVerified).toBe(true);
      await expect(confirm(token)).rejects.toMatchObject(refused);
      await expect(confirm("unknown")).rejects.toMatchObject(refused);
      const actions = (
        await db
          .forCompany(user?.companyId ?? "")
          .collection("audit_logs")
          .find({})
      ).map(({ action }) => action);
      expect(actions).toContain("account.email_confirmed");
    });

    test("accepts only the newest link, for a day, for the address it was sent to", async () => {
      const user = await (await server().company()).user("editor");
      const [one, two] = [`${user.username}@one.example`, `${user.username}@two.example`];
      expect((await user.client.account.update({ body: { email: one } })).user.emailVerified).toBe(false);
      const first = tokenIn(await mailbox(one).newest(1));
      server().clock.advance(1000);
      await user.client.account.sendConfirmation({ body: {} });
      const second = tokenIn(await mailbox(one).newest(2));
      await expect(confirm(first)).rejects.toMatchObject(refused);
      await user.client.account.update({ body: { email: two } });
      await expect(confirm(second)).rejects.toMatchObject(refused);
      const third = tokenIn(await mailbox(two).newest(1));
      server().clock.advance(day);
      await expect(confirm(third)).rejects.toMatchObject(refused);
      await user.client.account.sendConfirmation({ body: {} });
      await confirm(tokenIn(await mailbox(two).newest(2)));
      await expect(user.client.account.sendConfirmation({ body: {} })).rejects.toMatchObject({ status: 409 });
      const other = await (await server().company()).user("editor");
      await expect(other.client.account.sendConfirmation({ body: {} })).rejects.toMatchObject({ status: 409 });
    });

    test("sends ten links a day for one user", async () => {
      const user = await (await server().company()).user("editor");
      let sent = 0;
      for (let n = 0; n < 15; n++) {
        await users().updateOne({ _id: user.id }, { $set: { email: `${user.username}-${n}@x.example` } });
        await user.client.account.sendConfirmation({ body: {} }).then(
          () => sent++,
          (error: { status: number }) => expect(error.status).toBe(429),
        );
      }
      expect(sent).toBe(10);
    });

    test.each([
      ["the emailed link", true, true],
      ["the copied link", false, false],
      ["a guessed proof", "guessed", false],
    ])("of an invited user needs %s", async (_, link, verified) => {
      const admin = await (await server().company()).user("company_admin" satisfies Role);
      await users().updateOne(
        { _id: admin.id },
        { $set: { email: `${admin.username}@example.org`, emailVerified: true } },
      );
      const email = `${admin.username}-guest@x.example`;
      const created = await admin.client.invitations.create({ body: { email } });
      const copied = new URL(created.link).searchParams.get("invite") ?? "";
      const emailed = /^\S+\/register\?invite=([\w.-]+)$/m.exec(await mailbox(email).newest(1))?.[1] ?? "";
      expect(emailed.startsWith(`${copied}.`)).toBe(true);
      const invite = link === true ? emailed : link === false ? copied : `${copied}.AAAAAAAAAAAAAAAAAAAAAA`;
      const username = `${admin.username}-guest`;
      await server()
        .clientWith({})
        .auth.register({ body: { username, password, name: "Some Guest", email, invite } });
      expect((await users().findOne({ username }))?.emailVerified).toBe(verified);
    });
  },
  { sendsEmail: true },
);

describeServer("without a mail server", (server, engine) => {
  test("invitations, new users and resets answer a link and say that no email was sent", async () => {
    const admin = await (await server().company()).user("company_admin");
    const email = (n: number) => `${n}-${engine}@x.example`;
    const invited = await admin.client.invitations.create({ body: { email: email(1) } });
    expect([invited.unsent, invited.link.includes("/register?invite=")]).toEqual(["no_mail_server", true]);
    const forAnyone = await admin.client.invitations.create({ body: {} });
    expect(forAnyone.unsent).toBeUndefined();
    const body = { username: `ada-${engine}`, name: "Ada Lovelace", email: email(2) };
    const created = await admin.client.companyUsers.create({ body });
    const resets = [await admin.client.companyUsers.resetPassword({ params: { id: created.id } })];
    await server()
      .db.collection("users")
      .updateOne({ _id: created.id }, { $set: { emailVerified: true } });
    resets.push(await admin.client.companyUsers.resetPassword({ params: { id: created.id } }));
    for (const { unsent, link } of [created, ...resets])
      expect([unsent, link?.includes("/reset-password?token=")]).toEqual(["no_mail_server", true]);
    expect(resets.map(({ sent }) => sent)).toEqual([false, false]);
    expect(await sentEmails(server())).toEqual([]);
  });

  test("a forgotten password is answered without a claim that an email was sent", async () => {
    const { auth } = server().clientWith({});
    expect((await auth.check({})).sendsEmail).toBe(false);
    const { message } = await auth.forgotPassword({ body: { email: `who-${engine}@x.example` } });
    expect(message).toContain("is in the server's mail folder");
  });
});
