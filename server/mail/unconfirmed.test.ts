/** Links to addresses that aren't confirmed: who can have them sent, how many, and what they hold. */
import { expect, test } from "vitest";
import { limits } from "#core/limits.ts";
import { emailsTo } from "../../test/emails.ts";
import { describeServer, json, password, type TestUser } from "../../test/server.ts";

const shout = "Your mailbox is full call five five five now to keep all mail";

describeServer(
  "links to unconfirmed addresses",
  (server, engine) => {
    const users = () => server().db.collection("users");
    const give = (user: TestUser, email: string | null, emailVerified: boolean) =>
      users().updateOne({ _id: user.id }, { $set: { email, emailVerified } });
    let networks = 0;

    async function forgot(email: string): Promise<string> {
      const headers = { ...json, "x-forwarded-for": `10.40.0.${++networks}` };
      const path = "/api/auth/forgot-password";
      const answer = await server().send({ method: "POST", path, headers, body: JSON.stringify({ email }) });
      return `${answer.status} ${answer.body}`;
    }

    const to = (address: string) => emailsTo(server(), address);

    const person = (admin: TestUser, email: string) => ({
      username: `${email.split("@")[0]}-${admin.username}`,
      name: shout,
      email,
      password,
    });

    test("never go from a stranger's company to addresses that the stranger names", async () => {
      const stranger = await server().signUp(`mallory-${engine}`);
      const victim = (n: number) => `victim-${n}@${engine}.example`;
      const { id } = await stranger.client.companyUsers.create({ body: person(stranger, victim(0)) });
      const unknown = await forgot(`unknown@${engine}.example`);
      expect(await forgot(victim(0))).toBe(unknown);
      expect(await to(victim(0))).toEqual([]);
      for (let n = 1; n < 4; n++) {
        await stranger.client.companyUsers.update({ params: { id }, body: { email: victim(n) } });
        expect(await forgot(victim(n))).toBe(unknown);
        expect(await to(victim(n))).toEqual([]);
      }
      // the address is the stranger's to confirm, then the link goes out
      await give(stranger, `mallory@${engine}.example`, true);
      await forgot(victim(3));
      expect((await to(victim(3))).length).toBe(1);
    });

    test("name users who confirmed their address, also if a stranger created the account", async () => {
      const stranger = await server().signUp(`founder-of-${engine}`);
      const email = `confirmed@${engine}.example`;
      const { id, username } = await stranger.client.companyUsers.create({ body: person(stranger, email) });
      await users().updateOne({ _id: id }, { $set: { emailVerified: true } });
      await forgot(email);
      const [mail = ""] = await to(email);
      expect(mail).toContain(username);
      expect(mail).toContain("Your mailbox is full");
    });

    test("contain no name, and count as emails of the company and the administrator", async () => {
      const admin = await (await server().company()).user("company_admin");
      await give(admin, `${admin.username}@example.org`, true);
      const [one, two] = [`one-${engine}@x.example`, `two-${engine}@x.example`];
      for (const email of [one, two]) await admin.client.companyUsers.create({ body: person(admin, email) });
      const before = [await to(one), await to(two)].map(({ length }) => length);
      const invite = async (n: number) =>
        (await admin.client.invitations.create({ body: { email: `${admin.username}-${n}@x.example` } })).unsent;
      // two new users and these leave one email
      for (let n = 3; n < limits.emailsOfNewCompanyDay; n++) expect(await invite(n)).toBeUndefined();
      await forgot(one);
      const after = await to(one);
      const mail = after.find((text) => text.includes("/reset-password?token=")) ?? "";
      expect(after.length - (before[0] ?? 0)).toBe(1);
      for (const chosen of [shout.slice(0, 20), person(admin, one).username]) expect(mail).not.toContain(chosen);
      expect(await invite(0)).toBe("limit");
      await forgot(two);
      expect((await to(two)).length).toBe(before[1]);
    });

    test("to users who registered contain no name, ten a day at most", async () => {
      const username = `self-${engine}`;
      const address = (n: number) => `self-${n}@${engine}.example`;
      const body = { username, password, name: shout, email: address(0) };
      await server().clientWith({}).auth.register({ body });
      let sent = 0;
      for (let n = 0; n < 12; n++) {
        await users().updateOne({ username }, { $set: { email: address(n) } });
        await forgot(address(n));
        const links = (await to(address(n))).filter((text) => text.includes("/reset-password?token="));
        for (const text of links)
          for (const chosen of [shout.slice(0, 20), username]) expect(text).not.toContain(chosen);
        sent += links.length;
      }
      expect(sent).toBe(10);
    });

    test("that confirm them count for the company of the user", async () => {
      const company = await server().company();
      const people = [await company.user("editor"), await company.user("editor"), await company.user("viewer")];
      let sent = 0;
      for (const user of people)
        for (let n = 0; n < 9; n++) {
          const email = `${user.username}-${n}@x.example`;
          await user.client.account.update({ body: { email } }).then(
            () => sent++,
            (error: { status: number }) => expect(error.status).toBe(429),
          );
        }
      expect(sent).toBe(limits.emailsOfNewCompanyDay);
    });
  },
  { env: { TRUSTED_PROXIES: "1" }, sendsEmail: true },
);
