import { beforeAll, expect, test } from "vitest";
import { notificationKinds, type NotificationKind } from "#core/notifications/kinds.ts";
import { describeServer, json, type Company, type TestUser } from "../../test/server.ts";
import { fixedClock } from "#core/clock.ts";
import { removeExpiredRecords } from "../sweep.ts";
import { sendNotice } from "../../test/notices.ts";

const kinds = (Object.keys(notificationKinds) as NotificationKind[]).filter((kind) => kind !== "user_renamed");
const body = { title: "Evacuation", description: "D", markdown: "M" } as const;

describeServer("notifications", (server) => {
  let company: Company;
  let [writer, reader] = [] as unknown as [TestUser, TestUser];
  let actor: { _id: string; name: string; username: string };

  beforeAll(async () => {
    company = await server().company();
    writer = await company.user("manager", { name: "Ada" });
    actor = { _id: writer.id, name: writer.name, username: writer.username };
  });
  const someReader = async () => (reader = await company.user("viewer"));
  const listed = async (query: { unread?: "true" } = {}) => (await reader.client.notifications.list({ query })).data;

  test("are listed newest first, page by page, each once", async () => {
    await someReader();
    const { id: sopId, number } = await writer.client.sops.create({ body: { ...body, status: "published" } });
    for (const kind of kinds.slice(0, 7)) {
      await sendNotice(server(), [reader], { kind, sopId, actor });
      // three at the same moment, then a later one
      if (kind === kinds[2]) server().clock.advance(1000);
    }
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const { data, nextCursor, total } = await reader.client.notifications.list({
        query: { limit: 3, total: "true", ...(cursor === undefined ? {} : { cursor }) },
      });
      expect(total).toBe(7);
      pages.push(data.map(({ kind }) => kind));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat().slice(0, 4).sort()).toEqual(kinds.slice(3, 7).sort());
    expect(pages.flat().sort()).toEqual(kinds.slice(0, 7).sort());
    const [newest] = await listed();
    const printed = `Ada (${writer.username})`;
    expect(newest).toMatchObject({ actor: { name: printed }, readAt: null });
    const published = (await listed()).find(({ kind }) => kind === "approval_approved");
    expect(published).toMatchObject({
      text: `${printed} approved ${number} Evacuation`,
      sop: { id: sopId, number, title: "Evacuation" },
      link: `/sop/${sopId}`,
    });
    const wrong = await reader.send({ path: "/api/notifications?cursor=nonsense" });
    expect(wrong.status).toBe(400);
  });

  test("are marked read one by one or all, only the user's own, permanently", async () => {
    await someReader();
    const other = await company.user("viewer");
    await sendNotice(server(), [reader, other], { kind: "mention", actor });
    await sendNotice(server(), [reader], { kind: "comment", actor });
    const { notifications } = reader.client;
    expect(await notifications.count()).toEqual({ unread: 2 });
    const [first] = await listed();
    const id = first?.id ?? "";
    const byOther = await other.send({ method: "POST", path: `/api/notifications/${id}/read`, headers: json });
    expect(byOther.status).toBe(404);
    await notifications.read({ params: { id } });
    const [{ readAt } = { readAt: null }] = await listed();
    expect(readAt).toBe(server().clock.now());
    server().clock.advance(1000);
    await notifications.read({ params: { id } });
    expect((await listed())[0]?.readAt).toBe(readAt);
    expect((await listed({ unread: "true" })).map(({ kind }) => kind)).toEqual(["mention"]);
    await notifications.readAll({});
    expect([await notifications.count(), await listed({ unread: "true" })]).toEqual([{ unread: 0 }, []]);
    expect(await other.client.notifications.count()).toEqual({ unread: 1 });
  });

  test("skip the user who acted, and reach all others once", async () => {
    await someReader();
    await sendNotice(server(), [writer, reader, reader], { kind: "published", actor });
    expect(await listed()).toHaveLength(1);
    expect((await writer.client.notifications.list({})).data.filter(({ kind }) => kind === "published")).toEqual([]);
  });

  test.each(["viewer", "contributor", "reviewer", "editor", "manager", "company_admin"] as const)(
    "show a %s only the title visible at this moment, in every kind",
    async (role) => {
      reader = await company.user(role);
      const make = (title: string, status?: "published") =>
        writer.client.sops.create({ body: { ...body, title, ...(status ? { status } : {}) } });
      const hidden = await make("Quartz one");
      const inWork = await make("Basalt two", "published");
      await writer.client.sops.update({ params: { id: inWork.id }, body: { title: "Quartz two" } });
      const gone = await make("Basalt three", "published");
      for (const sop of [hidden, inWork, gone])
        for (const kind of kinds)
          await sendNotice(server(), [reader], {
            kind,
            sopId: sop.id,
            actor,
            detail: { version: sop === gone ? 1 : 2 },
          });
      await writer.client.sops.remove({ params: { id: gone.id } });
      const all = (await reader.client.notifications.list({ query: { limit: 200 } })).data;
      expect(all).toHaveLength(3 * kinds.length);
      const seesLatest = role !== "viewer" && role !== "contributor" && role !== "reviewer";
      expect(JSON.stringify(all).includes("Quartz")).toBe(seesLatest);
      expect(JSON.stringify(all)).not.toContain("three");
      const neutral = all.filter(({ sop }) => sop === null);
      expect(neutral).toHaveLength(seesLatest ? kinds.length : 3 * kinds.length);
      expect(neutral.every(({ link, text }) => link === null && !/SOP-|Basalt|Quartz/.test(text))).toBe(true);
      // a notification about the published version has its title for all
      await sendNotice(server(), [reader], {
        kind: "acknowledgement_requested",
        sopId: inWork.id,
        actor,
        detail: { version: 1 },
      });
      await sendNotice(server(), [reader], {
        kind: "approval_rejected",
        sopId: inWork.id,
        actor,
        detail: { version: 2 },
      });
      const [about, verdict] = (await listed()).slice(0, 2).sort((a, b) => (a.kind < b.kind ? -1 : 1));
      expect(about?.sop?.title).toBe(seesLatest ? "Quartz two" : "Basalt two");
      expect(verdict?.sop === null).toBe(!seesLatest);
      // after a promotion the user sees more, since no title is stored
      await server()
        .db.collection("users")
        .updateOne({ _id: reader.id }, { $set: { role: "manager" } });
      expect(
        (await reader.client.notifications.list({ query: { limit: 200 } })).data.filter(({ sop }) => sop === null),
      ).toHaveLength(kinds.length);
    },
  );

  test("of another company's SOP, and of a missing one, show nothing", async () => {
    await someReader();
    const stranger = await (await server().company()).user("manager");
    const { id } = await stranger.client.sops.create({ body: { ...body, status: "published" } });
    for (const sopId of [id, "nonsense", null])
      await sendNotice(server(), [reader], { kind: "published", sopId, actor });
    expect((await listed()).map(({ sop, text }) => [sop, text])).toEqual(
      Array.from({ length: 3 }, () => [null, `Ada (${writer.username}) published an SOP`]),
    );
  });

  test("are deleted with their user, and after ninety days", async () => {
    await someReader();
    const boss = await company.user("company_admin");
    await sendNotice(server(), [reader, boss], { kind: "published", actor });
    const notices = server().db.forCompany(company.id).collection("notifications");
    await boss.client.companyUsers.remove({ params: { id: reader.id } });
    expect(await notices.find({ userId: reader.id })).toEqual([]);
    const dayMs = 24 * 3_600_000;
    const in90Days = fixedClock(new Date(server().clock.millis() + 90 * dayMs - 1).toISOString());
    await removeExpiredRecords(server().db, server().running.services.blobs, in90Days);
    expect(await notices.countDocuments({ userId: boss.id })).toBe(1);
    in90Days.advance(1);
    await removeExpiredRecords(server().db, server().running.services.blobs, in90Days);
    expect(await notices.countDocuments({ userId: boss.id })).toBe(0);
  });
});
