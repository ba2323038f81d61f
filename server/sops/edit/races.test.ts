/** Many at once: nothing is lost, nothing is given twice. */
import { expect, test } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { describeServer, type TestUser } from "../../../test/server.ts";

const draft = { title: "T", description: "D", markdown: "M" };
const statusOf = (error: unknown) => {
  if (error instanceof ApiError) return error.status;
  throw error;
};
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describeServer("simultaneous writes", (server, engine) => {
  // the development-only MongoDB server takes a millisecond for a command
  const writers = engine === "sqlite" ? 50 : 12;

  async function consistent(user: TestUser): Promise<void> {
    const company = server().db.forCompany(user.companyId);
    const [sops, counters, events] = [
      await company.collection("sops").find({}),
      await company.collection("counters").findOne({ _id: user.companyId }),
      await company.collection("repo_events").find({}, { sort: { seq: 1 } }),
    ];
    const live = sops.filter((sop) => sop.live);
    const stored = await server().db.collection("companies").findOne({ _id: user.companyId });
    expect(stored?.sopCount).toBe(live.length);
    const heads = Object.values(counters?.byStatus ?? {}).reduce((sum, count) => sum + count, 0);
    expect(heads).toBe(sops.filter(({ deletedAt }) => deletedAt === null).length);
    expect(events.map(({ seq }) => seq)).toEqual(range(events.length));
    expect((await user.client.stats.get()).totalSOPs).toBe(live.length);
  }

  test("without If-Match all become versions, without a gap", async () => {
    const user = await (await server().company()).user("manager");
    const { id } = await user.client.sops.create({ body: draft });
    const saves = range(writers).map((n) =>
      user.client.sops.update({ params: { id }, body: { markdown: `Text ${n}` } }),
    );
    const versions = (await Promise.all(saves)).map(({ version }) => version);
    expect(versions.sort((a, b) => a - b)).toEqual(range(writers).map((n) => n + 2));
    const stored = await server().db.forCompany(user.companyId).collection("sop_versions").find({ sopId: id });
    expect(new Set(stored.map(({ markdown }) => markdown)).size).toBe(writers + 1);
    await consistent(user);
    await server().running.services.repositories.drain(user.companyId);
    expect(await user.client.repository.get()).toMatchObject({ lag: 0, seq: writers + 1 });
  });

  test("succeed for one of many writers with the same If-Match", async () => {
    const user = await (await server().company()).user("manager");
    const { id } = await user.client.sops.create({ body: draft });
    const saves = range(8).map((n) =>
      user.client.sops
        .update({ params: { id }, body: { markdown: `Text ${n}` }, ifMatch: 1 })
        .then(() => 200, statusOf),
    );
    expect((await Promise.all(saves)).sort()).toEqual([200, ...range(7).map(() => 412)]);
    await consistent(user);
  });

  test("fill a quota exactly", async () => {
    const company = await server().company({ maxSOPs: 5 });
    const user = await company.user("manager");
    await user.client.sops.create({ body: draft });
    const creates = range(writers).map(() => user.client.sops.create({ body: draft }).then(() => 201, statusOf));
    const answers = await Promise.all(creates);
    expect(answers.filter((status) => status === 201).length).toBe(4);
    expect(answers.filter((status) => status === 409).length).toBe(writers - 4);
    await consistent(user);
    await expect(user.client.sops.create({ body: draft })).rejects.toMatchObject({
      code: "limit_reached",
      details: { free: 0, needed: 1 },
    });
    // archived and deleted ones take no place, and coming back takes one
    const { data } = await user.client.sops.list();
    const [first = "", second = ""] = data.map(({ id }) => id);
    await user.client.sops.archive({ params: { id: first }, body: {} });
    await user.client.sops.remove({ params: { id: second } });
    await user.client.sops.create({ body: { ...draft, status: "archived" } });
    await user.client.sops.create({ body: draft });
    await user.client.sops.create({ body: draft });
    await expect(user.client.sops.unarchive({ params: { id: first }, body: {} })).rejects.toMatchObject({
      code: "limit_reached",
    });
    await expect(user.client.sops.undelete({ params: { id: second } })).rejects.toMatchObject({
      code: "limit_reached",
    });
    expect((await user.client.sops.list({ query: { total: "true" } })).total).toBe(5);
    await consistent(user);
  });

  test("of status changes leave correct counters", async () => {
    const user = await (await server().company()).user("admin");
    const made = await Promise.all(range(4).map(() => user.client.sops.create({ body: draft })));
    const verbs = ["publish", "unpublish", "archive", "unarchive", "remove", "undelete"] as const;
    await Promise.all(
      made.flatMap(({ id }) =>
        verbs.map((verb) => user.client.sops[verb]({ params: { id }, body: {} } as never).then(() => 200, statusOf)),
      ),
    );
    await consistent(user);
    const [counters, sops] = [
      await server().db.forCompany(user.companyId).collection("counters").findOne({ _id: user.companyId }),
      await server().db.forCompany(user.companyId).collection("sops").find({ deletedAt: null }),
    ];
    expect(counters?.published).toBe(sops.filter(({ hasPublished }) => hasPublished).length);
    expect(counters?.categories["none"]).toMatchObject({ live: sops.filter(({ live }) => live).length });
  });

  test("use each number once, also if a create fails or an SOP is deleted", async () => {
    const user = await (await server().company()).user("admin");
    const made = await Promise.all(range(writers).map(() => user.client.sops.create({ body: draft })));
    const numbers = made.map(({ number }) => number).sort();
    expect(numbers).toEqual(range(writers).map((n) => `SOP-${String(n + 1).padStart(4, "0")}`));
    await user.client.sops.remove({ params: { id: made.find(({ number }) => number === numbers.at(-1))?.id ?? "" } });
    expect((await user.client.sops.create({ body: draft })).number).toBe(`SOP-${String(writers + 1).padStart(4, "0")}`);
  });
});
