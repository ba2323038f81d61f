import { beforeAll, expect, test } from "vitest";
import { ApiError } from "#core/api/client.ts";
import type { Client } from "#core/api/client.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { describeServer, type TestUser } from "../../../test/server.ts";

/** A user with a token: days pass here, and sessions end. */
interface Person {
  client: Client<Schemas>;
  headers: Record<string, string>;
}

const day = 24 * 3_600_000;

describeServer("the version published on a day", (server) => {
  let manager: Person;
  let reader: Person;
  /** When each thing happened. */
  const at: Record<string, string> = {};
  let id: string;

  beforeAll(async () => {
    server().clock.set("2026-06-10T15:30:00.000Z");
    const company = await server().company();
    await company.letApprove("viewer");
    manager = await withToken(await company.user("manager"));
    reader = await withToken(await company.user("viewer"));
    const { client } = manager;
    const { clock } = server();
    const step = async (name: string, act: () => Promise<unknown>) => {
      clock.advance(day);
      at[name] = clock.now();
      await act();
    };
    const save = (markdown: string, more: object = {}) =>
      client.sops.update({ params: { id }, body: { markdown, ...more } });
    const publish = () => client.sops.publish({ params: { id }, body: {} });
    const body = { title: "Open the valve", description: "D", markdown: "Words of one.\n", tags: ["first"] };
    id = (await client.sops.create({ body })).id;
    await step("first", publish);
    await step("draft", () => save("Words of two.\n", { title: "Open the main valve", tags: ["second"] }));
    await step("second", publish);
    await step("end", () => client.sops.unpublish({ params: { id }, body: {} }));
    await step("again", publish);
    await step("head", () => save("Words of three.\n"));
  });

  async function withToken(user: TestUser): Promise<Person> {
    const body = { name: "days", scopes: ["sops:read", "sops:write"] as const };
    const { token } = await user.client.tokens.create({ body: { ...body, scopes: [...body.scopes] } });
    const headers = { authorization: `Bearer ${token}` };
    return { headers, client: server().clientWith(headers) };
  }
  const send = (path: string) => server().send({ path, headers: reader.headers });

  const ask = async (user: Person, moment: string) => {
    try {
      const { version, title, markdown, content, tags, published, scheduled, status } = await user.client.sops.get({
        params: { id },
        query: { at: moment },
      });
      expect(published?.version).toBe(version);
      expect([status, scheduled]).toEqual(["published", null]);
      return { version, title, tags, markdown, content, since: published?.effectiveAt };
    } catch (error) {
      if (error instanceof ApiError) return error.status;
      throw error;
    }
  };
  const dayOf = (name: string) => (at[name] ?? "").slice(0, 10);
  const versionAt = async (user: Person, moment: string) => {
    const found = await ask(user, moment);
    return typeof found === "number" ? found : found.version;
  };
  const before = (moment: string, ms: number) => new Date(Date.parse(moment) - ms).toISOString();

  test("is shown to people who see drafts: version, title, text and facts of that day", async () => {
    expect(await ask(manager, dayOf("draft"))).toEqual({
      version: 1,
      title: "Open the valve",
      tags: ["first"],
      markdown: "Words of one.\n",
      content: "<p>Words of one.</p>",
      since: at["first"],
    });
    expect(await ask(manager, dayOf("head"))).toMatchObject({ version: 2, tags: ["second"], since: at["again"] });
  });

  test("is the one at the end of the day in UTC; a time means that moment, to the millisecond", async () => {
    expect(await versionAt(manager, before(at["first"] ?? "", day).slice(0, 10))).toBe(404);
    expect(await versionAt(manager, dayOf("first"))).toBe(1);
    expect(await versionAt(manager, dayOf("second"))).toBe(2);
    expect(await versionAt(manager, before(at["first"] ?? "", 1))).toBe(404);
    expect(await versionAt(manager, at["first"] ?? "")).toBe(1);
    expect(await versionAt(manager, before(at["second"] ?? "", 1))).toBe(1);
    expect(await versionAt(manager, at["second"] ?? "")).toBe(2);
    // the same moment, said from another place
    const local = new Date(Date.parse(at["second"] ?? "") + 2 * 3_600_000).toISOString().replace("Z", "+02:00");
    expect(await versionAt(manager, local)).toBe(2);
    expect(await versionAt(manager, dayOf("end"))).toBe(404);
    expect(await versionAt(manager, dayOf("again"))).toBe(2);
  });

  test("is shown to readers only if it is still published, and for the days it was", async () => {
    for (const name of ["first", "draft", "end"])
      expect([name, await versionAt(reader, dayOf(name))]).toEqual([name, 404]);
    // it was published then, too: the answer is the version they can read
    expect(await versionAt(reader, dayOf("second"))).toBe(2);
    expect(await versionAt(reader, dayOf("again"))).toBe(2);
    expect(await versionAt(reader, dayOf("head"))).toBe(2);
  });

  test("is refused as for an unknown id, and an invalid date is refused", async () => {
    const unknown = await send(`/api/sops/unknown?at=${dayOf("first")}`);
    const hidden = await send(`/api/sops/${id}?at=${dayOf("first")}`);
    expect([hidden.status, hidden.body]).toEqual([unknown.status, unknown.body]);
    expect(hidden.headers.get("etag")).toBeNull();
    for (const wrong of [
      "yesterday",
      "2026-13-01",
      "2026-02-30",
      "2026",
      "1",
      " ",
      "0000-01-01",
      "1899-12-31T00:00:00Z",
    ]) {
      expect([wrong, await versionAt(manager, wrong)]).toEqual([wrong, 400]);
    }
  });

  test("has no ETag to save with", async () => {
    const past = await send(`/api/sops/${id}?at=${dayOf("head")}`);
    expect([past.status, past.headers.get("etag")]).toEqual([200, null]);
    expect((await send(`/api/sops/${id}`)).headers.get("etag")).toBe('"v2"');
  });

  test("has its periods listed newest first; readers see the current one only", async () => {
    const periods = await manager.client.sops.publishedPeriods({ params: { id } });
    expect(periods.map(({ version, from, until }) => ({ version, from, until }))).toEqual([
      { version: 2, from: at["again"], until: null },
      { version: 2, from: at["second"], until: at["end"] },
      { version: 1, from: at["first"], until: at["second"] },
    ]);
    expect(periods[2]).toMatchObject({ title: "Open the valve", sopId: id });
    expect(await reader.client.sops.publishedPeriods({ params: { id } })).toEqual([periods[0]]);
    const draft = await manager.client.sops.create({ body: { title: "T", description: "D", markdown: "M" } });
    expect(await manager.client.sops.publishedPeriods({ params: { id: draft.id } })).toEqual([]);
    await expect(reader.client.sops.publishedPeriods({ params: { id: draft.id } })).rejects.toMatchObject({
      status: 404,
    });
  });

  test("is the current one for a day ahead, or the scheduled one for people who can see it", async () => {
    const today = server().clock.now();
    const ahead = new Date(Date.parse(today) + 20 * day).toISOString().slice(0, 10);
    expect(await versionAt(manager, "2199-01-01")).toBe(2);
    await manager.client.sops.update({ params: { id }, body: { markdown: "Words of four.\n", effectiveAt: ahead } });
    const { scheduled } = await manager.client.sops.publish({ params: { id }, body: {} });
    expect(scheduled).toMatchObject({ version: 4, effectiveAt: `${ahead}T00:00:00.000Z` });
    expect(await versionAt(manager, today)).toBe(2);
    expect(await versionAt(manager, ahead)).toBe(4);
    expect(await versionAt(manager, before(`${ahead}T00:00:00.000Z`, 1))).toBe(2);
    expect(await versionAt(reader, ahead)).toBe(2);
  });

  test("has its own facts for readers, regardless of a later draft", async () => {
    const company = await server().company();
    await company.letApprove("viewer");
    const [boss, other, reader] = [
      await company.user("manager"),
      await company.user("editor"),
      await company.user("viewer"),
    ];
    const body = { title: "Valve", description: "D", markdown: "One\n", status: "published" } as const;
    const made = await boss.client.sops.create({ body });
    const params = { id: made.id };
    const team = await boss.client.teams.create({ body: { name: "Night shift" } });
    const draft = { markdown: "Two\n", ownerId: other.id, teamId: team.id, reviewBy: "2031-01-01", readTime: 9 };
    await boss.client.sops.update({ params, body: draft });
    const now = await reader.client.sops.get({ params });
    const then = await reader.client.sops.get({ params, query: { at: server().clock.now() } });
    expect(then).toEqual(now);
    expect(then).toMatchObject({ version: 1, ownerId: boss.id, teamId: null, reviewBy: made.reviewBy });
    expect(then.control.owner?.name).toBe(boss.name);
  });

  test("names its approvers, also when it is a draft again", async () => {
    const company = await server().company();
    await company.letApprove("viewer");
    const [boss, approver] = [await company.user("manager"), await company.user("viewer")];
    const { id } = await boss.client.sops.create({ body: { title: "Valve", description: "D", markdown: "One\n" } });
    const params = { id };
    const request = await boss.client.sops.requestApproval({ params, body: { approverIds: [approver.id] } });
    await approver.client.approvals.approve({ params: { id: request.id } });
    const then = server().clock.now();
    server().clock.advance(60_000);
    await boss.client.sops.unpublish({ params, body: {} });
    const found = await boss.client.sops.get({ params, query: { at: then } });
    expect(found.control.approvedBy).toEqual([{ name: approver.name, username: approver.username, at: then }]);
    expect((await boss.client.sops.get({ params })).control.approvedBy).toEqual([]);
  });

  test("names the approvers of each version in the history, to readers only of the one they read", async () => {
    const company = await server().company();
    await company.letApprove("viewer");
    const [boss, ann, ben, reader] = [
      await company.user("manager"),
      await company.user("viewer"),
      await company.user("viewer"),
      await company.user("viewer"),
    ];
    const { id } = await boss.client.sops.create({ body: { title: "Valve", description: "D", markdown: "One\n" } });
    const params = { id };
    const at = server().clock.now();
    const approveBy = async (approvers: (typeof boss)[]) => {
      const approverIds = approvers.map((one) => one.id);
      const request = await boss.client.sops.requestApproval({ params, body: { approverIds } });
      for (const one of approvers) await one.client.approvals.approve({ params: { id: request.id } });
    };
    const namesOf = async ({ client }: typeof boss) =>
      (await client.sops.versions({ params })).map(({ version, approvedBy }) => [version, approvedBy]);
    const signed = (...approvers: (typeof boss)[]) => approvers.map(({ name, username }) => ({ name, username, at }));

    await approveBy([ann, ben]);
    await boss.client.sops.update({ params, body: { markdown: "Two\n" } });
    expect(await namesOf(boss)).toEqual([
      [2, []],
      [1, signed(ann, ben)],
    ]);
    await approveBy([ben]);
    await boss.client.sops.update({ params, body: { markdown: "Three\n" } });
    const all = [
      [3, []],
      [2, signed(ben)],
      [1, signed(ann, ben)],
    ];
    expect(await namesOf(boss)).toEqual(all);
    expect(await namesOf(reader)).toEqual([[2, signed(ben)]]);
    const first = await boss.client.sops.version({ params: { id, version: 1 } });
    expect(first.approvedBy).toEqual(signed(ann, ben));
    expect((await reader.client.sops.get({ params })).control.approvedBy).toEqual(signed(ben));
  });
});
