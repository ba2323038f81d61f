/** Asking, confirming, what reopens, who may see what; over HTTP on both engines. */
import { beforeEach, describe, expect, test } from "vitest";
import { roles } from "#core/permissions/roles.ts";
import { printedName } from "#core/users/printed-name.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

const text = { title: "Press", description: "How to start it", markdown: "Check the guard.\n" };
const unknownId = "01970000-0000-7000-8000-000000000000";

describeServer("read confirmations", (server) => {
  let company: Company;
  let boss: TestUser;
  let reader: TestUser;
  let sop: { id: string };
  beforeEach(async () => {
    company = await server().company();
    boss = await company.user("manager", { name: "Mona Manager" });
    reader = await company.user("viewer", { name: "Rita Reader" });
    sop = await boss.client.sops.create({ body: { ...text, status: "published" } });
  });

  const ask = (body: object, id = sop.id) => boss.client.acknowledgements.ask({ params: { id }, body });
  const confirm = (user: TestUser, version: number, id = sop.id) =>
    user.client.acknowledgements.confirm({ params: { id }, body: { version } });
  const state = (user: TestUser, id = sop.id) => user.client.acknowledgements.get({ params: { id }, query: {} });
  const matrix = async (query: object = {}, id = sop.id) => {
    const found = await boss.client.acknowledgements.get({ params: { id }, query });
    return (found.matrix?.people ?? []).map(({ user, state: how, confirmed }) => [user.name, how, confirmed?.version]);
  };
  const counts = async (id = sop.id) => (await state(boss, id)).matrix?.counts;
  /** Sessions don't end during the test. */
  const days = async (count: number) => {
    server().clock.advance(count * 24 * 3_600_000);
    await server()
      .db.collection("sessions")
      .updateMany({}, { $set: { lastSeenAt: server().clock.now() } });
  };
  const toRead = async (user: TestUser) => {
    const owed = await user.client.acknowledgements.mine({});
    return owed.map(({ sop: { title }, version }) => [title, version]);
  };
  const publish = async (changeClass: "minor" | "major") => {
    const markdown = `Check the guard. ${Math.random()}\n`;
    const body = { markdown, changeClass, status: "published" } as const;
    return (await boss.client.sops.update({ params: { id: sop.id }, body })).version;
  };
  const audits = async () => {
    const log = await server()
      .db.collection("audit_logs")
      .find({ companyId: company.id, entityId: sop.id }, { sort: { _id: 1 } });
    return log.flatMap(({ action, userName }) => (action.startsWith("sop.acknowledge") ? [[action, userName]] : []));
  };

  test("says how many people read an SOP once it is published, and how many must confirm it", async () => {
    const readers = async (user: TestUser, id: string) =>
      (await user.client.acknowledgements.get({ params: { id }, query: { mine: "true", readers: "true" } })).readers;
    const draft = await boss.client.sops.create({ body: text });
    expect(await readers(boss, draft.id)).toEqual({ count: 2, asked: 0 });
    await ask({ userIds: [reader.id], dueDays: 7 }, draft.id);
    expect(await readers(boss, draft.id)).toEqual({ count: 2, asked: 1 });
    // restricted: only those it is shared with, and its own people
    await boss.client.sops.restrict({ params: { id: draft.id }, body: { restricted: true } });
    expect(await readers(boss, draft.id)).toEqual({ count: 1, asked: 0 });
    // not for people who can't publish it
    expect(await readers(reader, sop.id)).toBeUndefined();
    expect((await boss.client.acknowledgements.get({ params: { id: sop.id }, query: {} })).readers).toBeUndefined();
  });

  describe("confirming", () => {
    test("is requested, happens once, and keeps name, version, hash and time", async () => {
      expect(await state(reader)).toMatchObject({
        mine: { owes: false, confirmed: null },
        matrix: null,
        mayAsk: false,
      });
      const asked = await ask({ userIds: [reader.id], dueDays: 7 });
      expect(asked.matrix).toMatchObject({
        ask: { everyone: false, userIds: [reader.id], teamIds: [], dueDays: 7, askedBy: { name: "Mona Manager" } },
        counts: { asked: 1, confirmed: 0, overdue: 0 },
      });
      const { mine, inForce } = await state(reader);
      expect(mine).toEqual({ owes: true, dueBy: "2026-06-08", overdue: false, confirmed: null, counts: false });
      expect(await toRead(reader)).toEqual([["Press", 1]]);
      const done = await confirm(reader, 1);
      const confirmed = { version: 1, at: server().clock.now() };
      expect(done.mine).toEqual({ owes: false, dueBy: null, overdue: false, confirmed, counts: true });
      expect(done.matrix).toBeNull();
      expect(await toRead(reader)).toEqual([]);
      server().clock.advance(60_000);
      expect((await confirm(reader, 1)).mine.confirmed).toEqual(confirmed);
      const rows = await server().db.collection("acknowledgements").find({ companyId: company.id });
      expect(rows).toMatchObject([
        { userName: "Rita Reader", username: reader.username, contentHash: inForce?.contentHash, ...confirmed },
      ]);
      expect(await audits()).toEqual([
        ["sop.acknowledgement_ask", printedName(boss)],
        ["sop.acknowledge", printedName(reader)],
      ]);
    });

    test("applies to the published version and the people in its audience", async () => {
      await expect(confirm(reader, 1)).rejects.toMatchObject({ status: 409, code: "conflict" });
      await ask({ userIds: [reader.id] });
      await expect(confirm(boss, 1)).rejects.toMatchObject({ status: 409 });
      await expect(confirm(reader, 2)).rejects.toMatchObject({ status: 409, details: { version: 1 } });
      const wrongHash = { version: 1, contentHash: "0".repeat(64) };
      await expect(
        reader.client.acknowledgements.confirm({ params: { id: sop.id }, body: wrongHash }),
      ).rejects.toMatchObject({ status: 409, details: { version: 1 } });
      // a draft beyond it changes nothing for readers
      await boss.client.sops.update({ params: { id: sop.id }, body: { markdown: "Next.\n" } });
      await expect(confirm(reader, 2)).rejects.toMatchObject({ status: 409, details: { version: 1 } });
      expect((await confirm(reader, 1)).mine).toMatchObject({ owes: false, counts: true });
      await boss.client.sops.unpublish({ params: { id: sop.id }, body: {} });
      await expect(confirm(reader, 1)).rejects.toMatchObject({ status: 404 });
      await expect(confirm(boss, 1)).rejects.toMatchObject({ status: 409 });
      expect(await server().db.collection("acknowledgements").countDocuments({ companyId: company.id })).toBe(1);
    });

    test("by one reader twenty times at once makes one row and one audit entry", async () => {
      await ask({ everyone: true });
      await Promise.all(Array.from({ length: 20 }, () => confirm(reader, 1)));
      expect(await server().db.collection("acknowledgements").countDocuments({ companyId: company.id })).toBe(1);
      expect((await audits()).filter(([action]) => action === "sop.acknowledge")).toHaveLength(1);
    });

    test("survives a minor change; a major change asks again", async () => {
      await ask({ userIds: [reader.id], dueDays: 10 });
      await confirm(reader, 1);
      expect(await publish("minor")).toBe(2);
      expect((await state(reader)).mine).toMatchObject({ owes: false, counts: true, confirmed: { version: 1 } });
      expect(await toRead(reader)).toEqual([]);
      await days(1);
      expect(await publish("major")).toBe(3);
      const { mine } = await state(reader);
      expect(mine).toMatchObject({ owes: true, counts: false, confirmed: { version: 1 } });
      expect(await matrix()).toEqual([["Rita Reader", "open", 1]]);
      await days(1);
      expect(await publish("minor")).toBe(4);
      // the minor change is no respite
      expect((await state(reader)).mine).toEqual(mine);
      expect(await toRead(reader)).toEqual([["Press", 4]]);
      await confirm(reader, 4);
      expect(await matrix()).toEqual([["Rita Reader", "confirmed", 4]]);
    });

    test("is asked again after a major change, even if a minor one follows before both are published", async () => {
      await ask({ userIds: [reader.id] });
      await confirm(reader, 1);
      const params = { id: sop.id };
      await boss.client.sops.update({ params, body: { markdown: "Wear gloves.\n", changeClass: "major" } });
      await boss.client.sops.update({ params, body: { markdown: "Wear your gloves.\n", changeClass: "minor" } });
      expect((await state(reader)).mine).toMatchObject({ owes: false, counts: true });
      await boss.client.sops.publish({ params });
      expect((await state(reader)).mine).toMatchObject({ owes: true, counts: false, confirmed: { version: 1 } });
      expect(await toRead(reader)).toEqual([["Press", 3]]);
      expect(await matrix()).toEqual([["Rita Reader", "open", 1]]);
      await confirm(reader, 3);
      // answered at the publication, for all changes since the last one
      await boss.client.sops.update({ params, body: { markdown: "Wear any gloves.\n", changeClass: "major" } });
      await boss.client.sops.publish({ params, body: { changeClass: "minor", changeNote: "Any gloves do" } });
      const row = (await boss.client.sops.versions({ params }))[0];
      expect(row).toMatchObject({ version: 4, changeClass: "minor", changeNote: "Any gloves do" });
      expect((await boss.client.sops.get({ params })).control.changeClass).toBe("minor");
      // a confirmation of a later version covers the versions before it
      expect(await publish("minor")).toBe(5);
      expect((await state(reader)).mine).toMatchObject({ owes: false, counts: true, confirmed: { version: 3 } });
    });
  });

  describe("the audience", () => {
    test("includes people who join later; people who leave owe nothing, and their confirmations stay", async () => {
      const team = await boss.client.teams.create({ body: { name: "Night shift" } });
      const join = (userId: string) => boss.client.teams.addMember({ params: { id: team.id }, body: { userId } });
      await join(reader.id);
      await ask({ teamIds: [team.id], dueDays: 5 });
      await confirm(reader, 1);
      await days(3);
      const late = await company.user("viewer", { name: "Lara Late" });
      expect((await state(late)).mine.owes).toBe(false);
      await join(late.id);
      const since = new Date(server().clock.millis() + 5 * 24 * 3_600_000).toISOString().slice(0, 10);
      expect((await state(late)).mine).toMatchObject({ owes: true, dueBy: since });
      expect(await counts()).toEqual({ asked: 3, confirmed: 1, overdue: 0 });
      await boss.client.teams.removeMember({ params: { id: team.id, userId: reader.id } });
      await boss.client.teams.removeMember({ params: { id: team.id, userId: late.id } });
      expect(await matrix()).toEqual([
        ["Mona Manager", "open", undefined],
        ["Rita Reader", "past", 1],
      ]);
      expect((await state(reader)).mine).toMatchObject({ owes: false, confirmed: { version: 1 }, counts: true });
      await ask({ everyone: true });
      const starter = await company.user("viewer", { name: "Steve Starter" });
      expect(await toRead(starter)).toEqual([["Press", 1]]);
      expect(await matrix()).toEqual([
        ["Lara Late", "open", undefined],
        ["Mona Manager", "open", undefined],
        ["Steve Starter", "open", undefined],
        ["Rita Reader", "confirmed", 1],
      ]);
    });

    test("excludes people who can't sign in or can't see the SOP", async () => {
      const owner = await company.user("editor", { name: "Olga Owner" });
      const gone = await company.user("viewer", { name: "Gus Gone" });
      const admin = await company.user("company_admin", { name: "Ada Admin" });
      await boss.client.sops.update({ params: { id: sop.id }, body: { ownerId: owner.id, status: "published" } });
      await ask({ everyone: true });
      await confirm(gone, 2);
      await admin.client.companyUsers.remove({ params: { id: gone.id } });
      expect(await matrix({ state: "past" })).toEqual([["Gus Gone", "past", 2]]);
      await admin.client.sops.restrict({ params: { id: sop.id }, body: { restricted: true } });
      const found = await admin.client.acknowledgements.get({ params: { id: sop.id }, query: {} });
      expect(found.matrix?.people.map(({ user, state: how }) => [user.name, how])).toEqual([
        ["Ada Admin", "open"],
        ["Olga Owner", "open"],
        ["Gus Gone", "past"],
      ]);
      expect(await toRead(reader)).toEqual([]);
      await expect(state(reader)).rejects.toMatchObject({ status: 404 });
      await expect(confirm(reader, 2)).rejects.toMatchObject({ status: 404 });
      expect(await toRead(owner)).toEqual([["Press", 2]]);
    });

    test("keeps the people of a deleted team one by one, without the team's name", async () => {
      const { teams } = boss.client;
      const [admin, solo] = [await company.user("company_admin"), await company.user("manager")];
      const team = await teams.create({ body: { name: "Day shift" } });
      const { id: empty } = await solo.client.teams.create({ body: { name: "Solo" } });
      await admin.client.companyUsers.remove({ params: { id: solo.id } });
      const late = await company.user("viewer", { name: "Lara Late" });
      const params = { id: team.id };
      await teams.addMember({ params, body: { userId: reader.id } });
      await ask({ teamIds: [team.id, empty], userIds: [boss.id], dueDays: 5 });
      const second = await boss.client.sops.create({ body: { ...text, title: "Saw", status: "published" } });
      await ask({ teamIds: [empty], dueDays: 5 }, second.id);
      await confirm(reader, 1);
      await days(2);
      await teams.addMember({ params, body: { userId: late.id } });
      const before = [await matrix(), await counts(), (await state(late)).mine];
      await admin.client.teams.remove({ params });
      expect([await matrix(), await counts(), (await state(late)).mine]).toEqual(before);
      const asked = (await state(boss)).matrix?.ask;
      expect(asked).toMatchObject({ everyone: false, teamIds: [empty] });
      expect(new Set(asked?.userIds)).toEqual(new Set([boss.id, reader.id, late.id]));
      expect(asked?.userIds).toHaveLength(3);
      // a team without members leaves an empty audience: no confirmation is requested
      await admin.client.teams.remove({ params: { id: empty } });
      expect((await state(boss)).matrix?.ask).toMatchObject({ teamIds: [] });
      expect((await state(boss, second.id)).matrix?.ask).toBeNull();
    });

    test("takes people and teams of this company only; an update without a change leaves no trace", async () => {
      const stranger = await (await server().company()).user("viewer");
      await expect(ask({ userIds: [stranger.id] })).rejects.toMatchObject({ status: 400, code: "invalid_input" });
      await expect(ask({ teamIds: [unknownId] })).rejects.toMatchObject({ details: { teamIds: expect.anything() } });
      for (const chosen of [{ teamIds: [unknownId] }, { userIds: [reader.id] }]) {
        await expect(ask({ everyone: true, ...chosen })).rejects.toMatchObject({
          status: 400,
          details: { everyone: "Everyone includes all users and teams. Send no ids" },
        });
      }
      await expect(ask({ everyone: true, dueDays: 0 })).rejects.toMatchObject({ status: 400 });
      expect(await toRead(stranger)).toEqual([]);
      await ask({ userIds: [reader.id], dueDays: 3 });
      await ask({ userIds: [reader.id], dueDays: 3 });
      await ask({ userIds: [reader.id], dueDays: 4 });
      const ended = await ask({});
      await ask({});
      expect(ended.matrix).toMatchObject({ ask: null, counts: { asked: 0 }, people: [] });
      expect((await audits()).map(([action]) => action)).toEqual([
        "sop.acknowledgement_ask",
        "sop.acknowledgement_ask",
        "sop.acknowledgement_end",
      ]);
    });

    test("of a draft owes nothing until the draft is published", async () => {
      const { id } = await boss.client.sops.create({ body: { ...text, title: "Draft" } });
      await ask({ everyone: true }, id);
      expect(await toRead(reader)).toEqual([]);
      expect(await counts(id)).toEqual({ asked: 0, confirmed: 0, overdue: 0 });
      await expect(state(reader, id)).rejects.toMatchObject({ status: 404 });
      await boss.client.sops.publish({ params: { id }, body: {} });
      expect(await toRead(reader)).toEqual([["Draft", 1]]);
    });
  });

  describe("the list of confirmations", () => {
    test("is filtered, searched and paged: overdue first, each person once", async () => {
      const names = ["Änne Adam", "Bea Bach", "Cem Can", "Dora Dach"];
      const people = await Promise.all(names.map((name) => company.user("viewer", { name })));
      await ask({ userIds: people.map(({ id }) => id), dueDays: 2 });
      await confirm(people[1] as TestUser, 1);
      await days(3);
      await ask({ userIds: [...people.map(({ id }) => id), reader.id], dueDays: 2 });
      expect(await matrix()).toEqual([
        ["Änne Adam", "overdue", undefined],
        ["Cem Can", "overdue", undefined],
        ["Dora Dach", "overdue", undefined],
        ["Rita Reader", "open", undefined],
        ["Bea Bach", "confirmed", 1],
      ]);
      expect(await counts()).toEqual({ asked: 5, confirmed: 1, overdue: 3 });
      expect(await matrix({ state: "overdue", search: "ANNE" })).toEqual([["Änne Adam", "overdue", undefined]]);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: 2, ...(cursor === undefined ? {} : { cursor }) };
        const { matrix: page } = await boss.client.acknowledgements.get({ params: { id: sop.id }, query });
        seen.push(...(page?.people ?? []).map(({ user }) => user.name));
        cursor = page?.nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(["Änne Adam", "Cem Can", "Dora Dach", "Rita Reader", "Bea Bach"]);
      expect((await boss.client.acknowledgements.get({ params: { id: sop.id }, query: { mine: "true" } })).matrix).toBe(
        null,
      );
    });

    test("exports every confirmation as CSV without formulas, and the audit log records the export", async () => {
      const evil = await company.user("viewer", { name: '=HYPERLINK("http://x")' });
      await ask({ userIds: [evil.id, reader.id] });
      await confirm(evil, 1);
      await publish("major");
      await confirm(evil, 2);
      const file = await boss.send({ path: `/api/sops/${sop.id}/acknowledgements/export` });
      expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
      expect(file.headers.get("content-disposition")).toContain("SOP-0001-acknowledgements-");
      const [head, ...lines] = file.body.trimEnd().split("\r\n");
      expect(head).toBe("person,userId,state,dueBy,version,confirmedAt,contentHash");
      expect(lines.map((line) => line.replaceAll(/[0-9a-f]{64}|[0-9a-f-]{36}|20\d\d-\d\d-\d\dT\S+?Z/g, "#"))).toEqual([
        `${printedName(reader)},#,open,,,,`,
        `"'=HYPERLINK(""http://x"") (${evil.username})",#,confirmed,,2,#,#`,
        `"'=HYPERLINK(""http://x"") (${evil.username})",#,earlier,,1,#,#`,
      ]);
      expect((await audits()).at(-1)).toEqual(["sop.acknowledgement_export", printedName(boss)]);
    });
  });

  test("are seen by the people who ask for them, by each reader for themselves, and by no one else", async () => {
    const owned = await boss.client.sops.create({ body: { ...text, title: "Owned", status: "published" } });
    const draft = await boss.client.sops.create({ body: { ...text, title: "Draft" } });
    const askers = ["system_admin", "company_admin", "admin", "manager"];
    for (const role of roles) {
      const user = await company.user(role);
      const path = (id: string, more = "") => ({ path: `/api/sops/${id}/acknowledgements${more}` });
      const put = (id: string) => ({ method: "PUT", ...path(id), headers: json, body: '{"everyone":true}' });
      const isAsker = askers.includes(role);
      expect([role, (await user.send(put(owned.id))).status]).toEqual([role, isAsker ? 200 : 403]);
      expect([role, (await user.send(path(owned.id, "/export"))).status]).toEqual([role, isAsker ? 200 : 403]);
      const seen = await state(user, owned.id);
      expect([role, seen.mayAsk, seen.matrix !== null]).toEqual([role, isAsker, isAsker]);
      // out of sight: the bytes of an unknown id
      const seesDraft = [...askers, "editor"].includes(role);
      for (const request of [put, path, (id: string) => path(id, "/export")]) {
        const [shown, unknown] = [await user.send(request(draft.id)), await user.send(request(unknownId))];
        expect([role, shown.status === 404]).toEqual([role, !seesDraft]);
        expect(unknown.status).toBe(404);
        if (!seesDraft) expect(withoutId(shown.body)).toBe(withoutId(unknown.body));
      }
      // an owner who can edit asks for their own SOPs
      if (role !== "contributor" && role !== "editor") continue;
      const body = { ownerId: user.id, status: "published" } as const;
      await boss.client.sops.update({ params: { id: owned.id }, body });
      expect((await user.send(put(owned.id))).status).toBe(200);
      await boss.client.sops.update({ params: { id: owned.id }, body: { ...body, ownerId: boss.id } });
    }
    const stranger = await (await server().company()).user("company_admin");
    for (const id of [owned.id, draft.id]) await expect(state(stranger, id)).rejects.toMatchObject({ status: 404 });
  });
});

const json = { "content-type": "application/json" };
const withoutId = (body: string) => body.replaceAll(/[0-9a-f-]{36}/g, "#");
