import { expect, test } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { count, recordFigure } from "../../test/proof.ts";
import { describeServer, password, type Company, type TestServer, type TestUser } from "../../test/server.ts";

const refused = (code: string) => (error: unknown) => {
  if (!(error instanceof ApiError)) throw error;
  expect(error.code).toBe(code);
  return null;
};
const person = (username: string) => ({ username, name: `Name of ${username}`, password });

let made = 0;
/** Many at once for the last place. @returns how many got it */
async function raceForLastPlace(server: TestServer, writers: number): Promise<number> {
  const company = await server.company({ maxUsers: 2 });
  const admin = await company.user("company_admin");
  const round = ++made;
  const tries = Array.from({ length: writers }, (_, n) =>
    admin.client.companyUsers.create({ body: person(`racer-${round}-${n}`) }).then(() => 1, refused("limit_reached")),
  );
  const won = (await Promise.all(tries)).filter((one) => one !== null).length;
  const stored = await server.db.forCompany(company.id).collection("users").countDocuments({});
  const counted = await server.db.collection("companies").findOne({ _id: company.id });
  expect([stored, counted?.userCount]).toEqual([2, 2]);
  return won;
}

/** Two administrators take each other's role at once. @returns how many succeeded */
async function demoteEachOther(company: Company): Promise<number> {
  const [one, two] = [await company.user("system_admin"), await company.user("system_admin")];
  const demote = (asker: typeof one, target: typeof one) =>
    asker.client.adminUsers.update({ params: { id: target.id }, body: { role: "viewer" } }).then(
      () => 1,
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        expect(["conflict", "unauthenticated", "forbidden"]).toContain(error.code);
        return null;
      },
    );
  const won = (await Promise.all([demote(one, two), demote(two, one)])).filter((result) => result !== null);
  return won.length;
}

describeServer(
  "users of a company",
  (server, engine) => {
    const rounds = count({ usual: 3, proof: 100 });

    test(`get the last place only once when many are added at the same time, ${rounds} times`, async () => {
      let overrun = 0;
      for (let round = 0; round < rounds; round++) if ((await raceForLastPlace(server(), 8)) !== 1) overrun++;
      recordFigure({ name: `quota.users.rounds.${engine}`, value: rounds, unit: "races", goal: ">= 100" });
      recordFigure({ name: `quota.users.overrun.${engine}`, value: overrun, unit: "races", goal: "= 0" });
      expect(overrun).toBe(0);
    }, 600_000);

    test("keep an administrator when two take each other's role at once: exactly one succeeds", async () => {
      for (let round = 0; round < rounds; round++) {
        const company = await server().company();
        expect(await demoteEachOther(company)).toBe(1);
        const left = { role: "system_admin", status: "active" } as const;
        expect(await server().db.forCompany(company.id).collection("users").countDocuments(left)).toBe(1);
      }
    }, 600_000);

    test("are listed without secrets, sorted by name and found by name, email and username", async () => {
      const company = await server().company();
      const admin = await company.user("company_admin", { name: "zed Admin" });
      const { client } = admin;
      await client.companyUsers.create({
        body: {
          ...person("grace.h"),
          name: "Grace Hopper",
          email: "grace@navy.example",
          department: "IT",
          title: "Admiral",
        },
      });
      await client.companyUsers.create({ body: { ...person("ada"), name: "Áda L", role: "editor", phone: "1" } });
      const list = async (query: Parameters<typeof client.companyUsers.list>[0] = {}) =>
        (await client.companyUsers.list(query)).data.map(({ name }) => name);
      expect(await list()).toEqual(["Áda L", "Grace Hopper", "zed Admin"]);
      for (const search of ["NAVY.ex", "hopp", "grace.h", "grace hopper"])
        expect([search, await list({ query: { search } })]).toEqual([search, ["Grace Hopper"]]);
      expect(await list({ query: { search: "(.*)" } })).toEqual([]);
      expect(await list({ query: { role: "editor", status: "active" } })).toEqual(["Áda L"]);
      const first = await client.companyUsers.list({ query: { limit: 2, total: "true" } });
      expect(first.total).toBe(3);
      expect(await list({ query: { limit: 2, cursor: first.nextCursor } })).toEqual(["zed Admin"]);
      const [, grace] = first.data;
      expect(grace).toMatchObject({ email: "grace@navy.example", department: "IT", role: "viewer", initials: "GH" });
      const body = (await admin.send({ path: "/api/company/users" })).body;
      expect(body).not.toMatch(/argon2|openaiApiKey|"password"/);
    });

    test("accept the whole record as the form sends it, and ignore the server's fields and a blank password", async () => {
      const company = await server().company();
      const elsewhere = await server().company();
      const { client } = await company.user("company_admin");
      const { link, ...user } = await client.companyUsers.create({ body: person(`form-${engine}`) });
      expect(link).toBeUndefined();
      const sent = { ...user, username: "other", companyId: elsewhere.id, initials: "XX", title: "Lead", password: "" };
      const after = await client.companyUsers.update({ params: { id: user.id }, body: sent });
      expect(after).toMatchObject({
        username: user.username,
        companyId: company.id,
        initials: user.initials,
        title: "Lead",
      });
      expect((await server().signIn(user.username)).status).toBe(200);
      const root = await elsewhere.user("system_admin");
      await root.client.adminUsers.update({ params: { id: user.id }, body: sent }).catch(refused("conflict"));
      const stored = await server().db.collection("users").findOne({ _id: user.id });
      expect(stored?.companyId).toBe(company.id);
    });

    test("get an error for each field, in the words of the form", async () => {
      const { send } = await (await server().company()).user("company_admin");
      const body = { username: "ab", email: "nowhere", name: "x", password: "short", role: "king" };
      const headers = { "content-type": "application/json" };
      const answer = await send({ method: "POST", path: "/api/company/users", headers, body: JSON.stringify(body) });
      expect(answer.status).toBe(400);
      expect((answer.json() as { details: object }).details).toMatchObject({
        username: "Username must be at least 3 characters",
        email: "Invalid email address",
        name: "Name must be at least 2 characters",
        password: "Password must be at least 6 characters",
      });
    });

    test("can't change users above the roles they assign, nor their own permissions", async () => {
      const company = await server().company();
      const [boss, other, admin, viewer] = [
        await company.user("company_admin"),
        await company.user("company_admin"),
        await company.user("admin"),
        await company.user("viewer"),
      ];
      const change = (asker: typeof boss, id: string, body: object) =>
        asker.client.companyUsers.update({ params: { id }, body }).then(() => "done", refused("forbidden"));
      expect(await change(admin, boss.id, { name: "Taken Over" })).toBeNull();
      expect(await change(boss, other.id, { password })).toBeNull();
      expect(await change(boss, viewer.id, { role: "company_admin" })).toBeNull();
      expect(await change(admin, viewer.id, { role: "company_admin" })).toBeNull();
      expect(await change(viewer, admin.id, { name: "Nobody" })).toBeNull();
      for (const own of [
        { role: "viewer" },
        { status: "suspended" },
        { password },
        { email: "me@lab.example" },
      ] as const)
        expect(await change(boss, boss.id, own)).toBeNull();
      expect(await change(boss, boss.id, { title: "Boss" })).toBe("done");
      await expect(boss.client.companyUsers.remove({ params: { id: boss.id } })).rejects.toMatchObject({
        code: "forbidden",
      });
      await expect(admin.client.companyUsers.resetPassword({ params: { id: boss.id } })).rejects.toMatchObject({
        code: "forbidden",
      });
      expect(await change(admin, viewer.id, { role: "admin" })).toBeNull();
      expect(await change(admin, viewer.id, { role: "manager" })).toBe("done");
    });

    test("include a last active administrator, regardless of who asks", async () => {
      const company = await server().company();
      const boss = await company.user("company_admin");
      const root = await (await server().company()).user("system_admin");
      const params = { id: boss.id };
      for (const body of [{ role: "editor" }, { status: "suspended" }, { status: "deleted" }] as const)
        await expect(root.client.adminUsers.update({ params, body })).rejects.toMatchObject({ code: "conflict" });
      await expect(root.client.adminUsers.remove({ params })).rejects.toMatchObject({ code: "conflict" });
      await company.user("company_admin");
      expect((await root.client.adminUsers.update({ params, body: { role: "editor" } })).role).toBe("editor");
    });

    test("keep their place when suspended, free it when deleted, and take one when restored", async () => {
      const company = await server().company({ maxUsers: 2 });
      const { client } = await company.user("company_admin");
      const user = await company.user("editor");
      const params = { id: user.id };
      const places = async () => (await server().db.collection("companies").findOne({ _id: company.id }))?.userCount;
      const { token } = await user.client.tokens.create({ body: { name: "ci" } });
      await client.companyUsers.update({ params, body: { status: "suspended" } });
      expect([(await user.send({ path: "/api/auth/me" })).status, await places()]).toEqual([401, 2]);
      const bearer = { authorization: `Bearer ${token}` };
      expect((await server().send({ path: "/api/tokens", headers: bearer })).status).toBe(401);
      await client.companyUsers.update({ params, body: { status: "active" } });
      // access that was ended does not come back with the status
      expect((await server().send({ path: "/api/tokens", headers: bearer })).status).toBe(401);
      await client.companyUsers.remove({ params });
      expect(await places()).toBe(1);
      await client.companyUsers.create({ body: person(`next-${engine}`) });
      await expect(client.companyUsers.update({ params, body: { status: "active" } })).rejects.toMatchObject({
        code: "limit_reached",
      });
      expect(await places()).toBe(2);
      const actions = await server()
        .db.forCompany(company.id)
        .collection("audit_logs")
        .find({ entityId: user.id }, { sort: { _id: 1 } });
      expect(actions.map(({ action }) => action).filter((action) => action.startsWith("user."))).toEqual([
        "user.suspend",
        "user.activate",
        "user.delete",
      ]);
    });

    const confirmed = ({ id, username }: TestUser) =>
      server()
        .db.collection("users")
        .updateOne({ _id: id }, { $set: { email: `${username}@example.org`, emailVerified: true } });

    test("get a link to choose a password: by email, else in the answer once", async () => {
      const company = await server().company();
      const admin = await company.user("company_admin");
      const { client } = admin;
      const { link, ...user } = await client.companyUsers.create({
        body: { username: `linked-${engine}`, name: "By Link" },
      });
      expect(link).toMatch(/\/reset-password\?token=[\w-]{43}$/);
      const again = await client.companyUsers.resetPassword({ params: { id: user.id } });
      expect([again.sent, again.link === link]).toEqual([false, false]);
      await confirmed(admin);
      const mailed = await client.companyUsers.create({
        body: { username: `mailed-${engine}`, name: "By Mail", email: "by@mail.example" },
      });
      expect(mailed.link).toBeUndefined();
      expect(await client.companyUsers.resetPassword({ params: { id: mailed.id } })).toEqual({ sent: true });
      const token = new URL(again.link ?? "").searchParams.get("token") ?? "";
      expect(await server().db.collection("password_resets").countDocuments({ _id: token })).toBe(0);
    });

    test("of another company look like unknown ones", async () => {
      const stranger = await (await server().company()).user("editor");
      const admin = await (await server().company()).user("company_admin");
      const unknown = "01970000-0000-7000-8000-000000000000";
      const ask = async (id: string) => {
        const headers = { "content-type": "application/json" };
        const request = { method: "PUT", path: `/api/company/users/${id}`, headers, body: '{"name":"Taken"}' };
        const { status, body } = await admin.send(request);
        return [status, body];
      };
      expect(await ask(stranger.id)).toEqual(await ask(unknown));
      await expect(admin.client.adminUsers.list()).rejects.toMatchObject({ code: "forbidden" });
    });

    test("can be changed by a system administrator in any company, and its log says so", async () => {
      const company = await server().company();
      const root = await (await server().company()).user("system_admin");
      const body = { ...person(`placed-${engine}`), companyId: company.id, role: "company_admin" } as const;
      const { id } = await root.client.adminUsers.create({ body });
      expect(
        (await root.client.adminUsers.list({ query: { companyId: company.id } })).data.map((one) => one.id),
      ).toEqual([id]);
      const row = await server().db.forCompany(company.id).collection("audit_logs").findOne({ action: "user.create" });
      expect(row).toMatchObject({ userId: root.id, entityId: id });
      await expect(
        root.client.adminUsers.create({ body: { ...person("nowhere"), companyId: "unknown" } }),
      ).rejects.toMatchObject({ code: "invalid_input" });
    });
  },
  { sendsEmail: true },
);
