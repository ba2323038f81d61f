import { expect, test } from "vitest";
import type { z } from "zod";
import type { ProfileChange } from "#core/sign-in/schema.ts";
import { cookieOf, describeServer, json, password, type TestUser } from "../../test/server.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const minute = 60_000;
const fresh = "another walk along the sea";

describeServer("the user's own account", (server) => {
  const account = async (): Promise<TestUser> => (await server().company()).user("manager", { name: "Grace Hopper" });
  const refusal = (details: Record<string, unknown>) => ({ status: 400, details });

  test("changes the profile field by field, and initials follow the name unless chosen", async () => {
    const user = await account();
    const update = async (body: z.input<typeof ProfileChange>) => (await user.client.account.update({ body })).user;
    expect(await update({ name: "Ada Lovelace", phone: "12", title: "Countess" })).toMatchObject({
      name: "Ada Lovelace",
      initials: "AL",
      phone: "12",
      title: "Countess",
    });
    expect(await update({ initials: "axl" })).toMatchObject({ initials: "AXL", phone: "12" });
    expect(await update({ name: "Ada King", title: "" })).toMatchObject({ initials: "AXL", title: null });
    expect(await update({ initials: "" })).toMatchObject({ initials: "AK" });
    const audit = await server()
      .db.forCompany(user.companyId)
      .collection("audit_logs")
      .find({ entityId: user.id }, { sort: { _id: 1 } });
    expect(audit.map(({ changes }) => changes)[1]).toEqual({ initials: { from: "AL", to: "AXL" } });
    await update({});
    expect((await server().db.forCompany(user.companyId).collection("audit_logs").find({})).length).toBe(4);
  });

  test("without a password can't be entered by one, and none proves it", async () => {
    const user = await account();
    await server()
      .db.collection("users")
      .updateOne({ _id: user.id }, { $set: { password: null } });
    for (const tried of [password, "null", ""])
      expect((await server().signIn(user.username, tried)).status).not.toBe(200);
    const proved = user.client.account.prove({ body: { currentPassword: password } });
    await expect(proved).rejects.toMatchObject(refusal({ currentPassword: "The current password is wrong" }));
  });

  test("never changes a role, a status or a company", async () => {
    const user = await account();
    for (const field of ["role", "status", "companyId", "username", "permissions", "teamIds", "sessionVersion"]) {
      const answer = await user.send({
        method: "PUT",
        path: "/api/auth/me",
        headers: json,
        body: JSON.stringify({ [field]: "system_admin" }),
      });
      expect([field, answer.status]).toEqual([field, 400]);
    }
  });

  test("accepts a picture only from the user's own images", async () => {
    const company = await server().company();
    const [user, other] = [await company.user("manager"), await company.user("editor")];
    const upload = (as: TestUser, body: Buffer, type: string) =>
      as.send({ method: "POST", path: "/api/assets", headers: { "content-type": type }, body });
    const { url } = (await upload(user, png, "image/png")).json() as { url: string };
    const pdf = (await upload(user, Buffer.from("%PDF-1.7 x"), "application/pdf")).json() as { url: string };
    expect((await user.client.account.update({ body: { avatar: url } })).user.avatar).toBe(url);
    // the people one works with see it
    expect((await other.send({ path: url })).status).toBe(200);
    const stranger = await account();
    expect((await stranger.send({ path: url })).status).toBe(404);
    for (const avatar of [pdf.url, url.replace("png", "jpg"), "https://evil.example/x.png", "/api/assets/x.png"])
      await expect(user.client.account.update({ body: { avatar } })).rejects.toMatchObject(
        refusal({ avatar: expect.any(String) }),
      );
    await expect(other.client.account.update({ body: { avatar: url } })).rejects.toMatchObject({ status: 400 });
    expect((await user.client.account.update({ body: { avatar: null } })).user.avatar).toBeNull();
    expect((await other.send({ path: url })).status).toBe(404);
  });

  test("asks for the password to change the email address, unless the user just signed in", async () => {
    const user = await account();
    expect((await user.client.account.update({ body: { email: "One@Example.org" } })).user.email).toBe(
      "one@example.org",
    );
    await server()
      .db.collection("users")
      .updateOne({ _id: user.id }, { $set: { emailVerified: true } });
    server().clock.advance(15 * minute + 1);
    const change = (email: string) => user.client.account.update({ body: { email } });
    const prove = (currentPassword: string) => user.client.account.prove({ body: { currentPassword } });
    await expect(change("two@example.org")).rejects.toMatchObject({ status: 403, code: "proof_needed" });
    await expect(prove("wrong")).rejects.toMatchObject(refusal({ currentPassword: "The current password is wrong" }));
    await expect(change("two@example.org")).rejects.toMatchObject({ code: "proof_needed" });
    // what does not change it asks for nothing
    expect((await user.client.account.update({ body: { email: "one@example.org", name: "Ada X" } })).user.name).toBe(
      "Ada X",
    );
    await prove(password);
    expect((await change("two@example.org")).user.email).toBe("two@example.org");
    const mails = await server().db.collection("outbox").find({ kind: "mail" });
    expect(mails.map(({ payload }) => [payload["template"], payload["to"]])).toContainEqual([
      "email-changed",
      "one@example.org",
    ]);
  });

  test("ends every other session and every token on a new password; this session gets a new id", async () => {
    const user = await account();
    const other = cookieOf(await server().signIn(user.username));
    const { token } = await user.client.tokens.create({ body: { name: "ci" } });
    const change = (body: object) =>
      user.send({ method: "POST", path: "/api/auth/change-password", headers: json, body: JSON.stringify(body) });
    const wrong = await change({ currentPassword: "wrong", newPassword: fresh });
    expect([wrong.status, wrong.json()]).toMatchObject([400, { details: { currentPassword: expect.any(String) } }]);
    const short = await change({ currentPassword: password, newPassword: "short" });
    expect([short.status, short.json()]).toMatchObject([400, { details: { newPassword: expect.any(String) } }]);
    const answer = await change({ currentPassword: password, newPassword: fresh });
    expect([answer.status, answer.json()]).toMatchObject([200, { user: { id: user.id } }]);
    const me = async (cookie: string) => (await server().send({ path: "/api/auth/me", headers: { cookie } })).status;
    expect([await me(cookieOf(answer)), await me(user.cookie), await me(other)]).toEqual([200, 401, 401]);
    expect(cookieOf(answer)).not.toBe(user.cookie);
    const headers = { authorization: `Bearer ${token}` };
    expect((await server().send({ path: "/api/sops", headers })).status).toBe(401);
    expect((await server().signIn(user.username)).status).toBe(401);
    expect((await server().signIn(user.username, fresh)).status).toBe(200);
  });

  test("accepts one of two simultaneous changes of the password", async () => {
    const user = await account();
    const answers = await Promise.all(
      [1, 2, 3].map((n) =>
        user.send({
          method: "POST",
          path: "/api/auth/change-password",
          headers: json,
          body: JSON.stringify({ currentPassword: password, newPassword: `${fresh} ${n}` }),
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(await server().db.collection("sessions").countDocuments({ userId: user.id })).toBe(1);
  });

  test("protects the current password from guesses in a session", async () => {
    const user = await account();
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) {
      const body = JSON.stringify({ currentPassword: `guess ${n}`, newPassword: fresh });
      const guess = { method: "POST", path: "/api/auth/change-password", headers: json, body };
      statuses.push((await user.send(guess)).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });
});

describeServer("sessions", (server) => {
  const signIn = async (user: TestUser, agent: string) =>
    cookieOf(
      await server().send({
        method: "POST",
        path: "/api/auth/login",
        headers: { ...json, "user-agent": agent },
        body: JSON.stringify({ username: user.username, password }),
      }),
    );
  const me = async (cookie: string) => (await server().send({ path: "/api/auth/me", headers: { cookie } })).status;

  test("are listed without their ids, ended one by one or all but the current one", async () => {
    const user = await (await server().company()).user("editor");
    const cookies: string[] = [];
    for (const agent of ["Firefox", "Safari", "curl"]) {
      server().clock.advance(1000);
      cookies.push(await signIn(user, agent));
    }
    const [firefox = "", safari = "", curl = ""] = cookies;
    const listed = await user.client.sessions.list();
    expect(listed.map(({ userAgent, current }) => [userAgent, current])).toEqual([
      ["curl", false],
      ["Safari", false],
      ["Firefox", false],
      [null, true],
    ]);
    const stored = await server().db.collection("sessions").find({ userId: user.id });
    for (const { _id } of stored) expect(JSON.stringify(listed)).not.toContain(_id);
    const stranger = await (await server().company()).user("editor");
    await expect(stranger.client.sessions.end({ params: { id: listed[1]?.id ?? "" } })).rejects.toMatchObject({
      status: 404,
    });
    await user.client.sessions.end({ params: { id: listed[1]?.id ?? "" } });
    expect([await me(firefox), await me(safari), await me(curl)]).toEqual([200, 401, 200]);
    await user.client.sessions.endOthers();
    expect([await me(firefox), await me(curl), await me(user.cookie)]).toEqual([401, 401, 200]);
    const audit = await server()
      .db.forCompany(user.companyId)
      .collection("audit_logs")
      .find({ entityId: user.id }, { sort: { _id: 1 } });
    expect(audit.map(({ action }) => action).slice(-2)).toEqual(["account.session_ended", "account.sessions_ended"]);
  });

  test("of people who manage others end after eight hours without use", async () => {
    const hour = 60 * minute;
    const company = await server().company();
    for (const [role, status] of [
      ["admin", 401],
      ["company_admin", 401],
      ["manager", 200],
    ] as const) {
      const cookie = await signIn(await company.user(role), "Firefox");
      server().clock.advance(8 * hour - 1);
      expect([role, await me(cookie)]).toEqual([role, 200]);
      server().clock.advance(8 * hour);
      expect([role, await me(cookie)]).toEqual([role, status]);
    }
  });
});
