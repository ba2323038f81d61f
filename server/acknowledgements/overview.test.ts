/** People × SOPs: what it shows to whom, reminders, and the file; over HTTP on both engines. */
import { beforeEach, expect, test } from "vitest";
import { roles } from "#core/permissions/roles.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

const text = { description: "How to start it", markdown: "Check the guard.\n", status: "published" } as const;

describeServer("the overview of read confirmations", (server) => {
  let company: Company;
  let boss: TestUser;
  let rita: TestUser;
  let otto: TestUser;
  let press: string;
  let oven: string;
  const publish = async (title: string, by = boss) => (await by.client.sops.create({ body: { ...text, title } })).id;
  const ask = (id: string, body: object) => boss.client.acknowledgements.ask({ params: { id }, body });
  const overview = (user = boss, query: object = {}) => user.client.acknowledgements.overview({ query });
  const remind = (body: object = {}, user = boss) => user.client.acknowledgements.remind({ body });
  const days = async (count: number) => {
    server().clock.advance(count * 24 * 3_600_000);
    await server()
      .db.collection("sessions")
      .updateMany({}, { $set: { lastSeenAt: server().clock.now() } });
  };
  const dayFromNow = (count: number) =>
    new Date(server().clock.millis() + count * 24 * 3_600_000).toISOString().slice(0, 10);
  /** `Rita: Oven overdue, Press open` */
  const table = async (user = boss, query: object = {}) => {
    const { people, sops } = await overview(user, query);
    const titleOf = new Map(sops.map(({ id, title }) => [id, title]));
    return people.map(
      (person) =>
        `${person.team?.name ?? "-"} / ${person.user.name}: ${person.readings
          .map(({ sopId, state }) => `${titleOf.get(sopId)} ${state}`)
          .sort()
          .join(", ")}`,
    );
  };
  const reminders = async (user: TestUser) => {
    const found = await server().db.collection("notifications").find({ userId: user.id, kind: "acknowledgement_due" });
    return found.filter(({ actorName }) => actorName === `Mona Manager (${boss.username})`).map(({ sopId }) => sopId);
  };

  beforeEach(async () => {
    company = await server().company();
    boss = await company.user("manager", { name: "Mona Manager" });
    rita = await company.user("viewer", { name: "Rita Reader" });
    otto = await company.user("viewer", { name: "Otto Other" });
    press = await publish("Press");
    oven = await publish("Oven");
  });

  test("puts late people first within their team, and SOPs with late readers first", async () => {
    const team = await boss.client.teams.create({ body: { name: "Bakery" } });
    for (const user of [rita, otto]) {
      await boss.client.teams.addMember({ params: { id: team.id }, body: { userId: user.id } });
    }
    await company.user("viewer", { name: "Ada Alone" });
    await ask(press, { everyone: true, dueDays: 5 });
    await ask(oven, { userIds: [rita.id], dueDays: 1 });
    await rita.client.acknowledgements.confirm({ params: { id: press }, body: { version: 1 } });
    await days(2);
    expect(await table()).toEqual([
      "Bakery / Rita Reader: Oven overdue, Press confirmed",
      "Bakery / Mona Manager: Press open",
      "Bakery / Otto Other: Press open",
      "- / Ada Alone: Press open",
    ]);
    const { sops, counts, people } = await overview();
    expect(sops.map(({ title }) => title)).toEqual(["Oven", "Press"]);
    expect(counts).toEqual({ late: 1, due: 3, dueBy: dayFromNow(3), toRemind: 1 });
    const read = people[0]?.readings.find(({ sopId }) => sopId === press);
    expect(read).toMatchObject({ state: "confirmed", confirmed: { version: 1 } });
    expect(await table(boss, { show: "late" })).toHaveLength(1);
    expect(await table(boss, { show: "due" })).toHaveLength(3);
    expect(await table(boss, { teamId: team.id })).toHaveLength(3);
    expect(await table(boss, { search: "rita" })).toHaveLength(1);
    expect(await table(boss, { search: "oven" })).toEqual(["Bakery / Rita Reader: Oven overdue"]);
    const names: string[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await overview(boss, { limit: 1, ...(cursor !== undefined && { cursor }) });
      names.push(...page.people.map(({ user }) => user.name));
      cursor = page.nextCursor;
    }
    expect(names).toEqual(["Rita Reader", "Mona Manager", "Otto Other", "Ada Alone"]);
  });

  test("shows people only the SOPs where they can ask for confirmations, and no restricted ones", async () => {
    const admin = await company.user("company_admin", { name: "Cora Admin" });
    const other = await company.user("manager", { name: "Otis Manager" });
    await ask(press, { userIds: [rita.id] });
    await ask(oven, { userIds: [rita.id] });
    await boss.client.sops.restrict({ params: { id: oven }, body: { restricted: true } });
    await boss.client.sops.grant({ params: { id: oven }, body: { userId: rita.id, permission: "read" } });
    expect(await table()).toEqual(["- / Rita Reader: Oven open, Press open"]);
    expect(await table(other)).toEqual(["- / Rita Reader: Press open"]);
    expect(await table(other, { search: "oven" })).toEqual([]);
    const file = await other.send({ path: "/api/acknowledgements/overview/export" });
    expect(file.body).not.toContain("Oven");
    await expect(remind({ userIds: [rita.id], sopId: oven }, other)).rejects.toMatchObject({ status: 404 });
    expect((await overview(admin)).sops.length).toBeGreaterThan(0);
    for (const role of roles.filter((one) => ["editor", "reviewer", "contributor", "viewer"].includes(one))) {
      const user = await company.user(role);
      expect([role, await overview(user)]).toEqual([role, expect.objectContaining({ sops: [], people: [] })]);
      await expect(remind({ userIds: [rita.id] }, user)).rejects.toMatchObject({ status: 404 });
      expect(await remind({}, user)).toEqual({ reminded: 0, already: 0 });
    }
    const stranger = await (await server().company()).user("company_admin");
    expect(await table(stranger)).toEqual([]);
    await expect(remind({ userIds: [rita.id] }, stranger)).rejects.toMatchObject({ status: 404 });
  });

  test("reminds late people once a day, by one email", async () => {
    await ask(press, { userIds: [rita.id, otto.id, boss.id], dueDays: 1 });
    await ask(oven, { userIds: [rita.id], dueDays: 1 });
    expect(await remind()).toEqual({ reminded: 0, already: 0 });
    await days(3);
    const answers = await Promise.all([remind(), remind(), remind()]);
    expect(answers.reduce((sum, { reminded }) => sum + reminded, 0)).toBe(2);
    expect((await reminders(rita)).toSorted()).toEqual([press, oven].toSorted());
    expect(await reminders(otto)).toEqual([press]);
    expect(await remind({ userIds: [otto.id] })).toEqual({ reminded: 0, already: 1 });
    expect((await overview()).counts.toRemind).toBe(0);
    expect((await overview()).people.map(({ user, reminded }) => [user.name, reminded])).toEqual([
      ["Rita Reader", true],
      ["Mona Manager", false],
      ["Otto Other", true],
    ]);
    await days(1);
    expect(await remind({ userIds: [rita.id], sopId: oven })).toEqual({ reminded: 1, already: 0 });
    expect((await reminders(rita)).filter((id) => id === oven)).toHaveLength(2);
    const log = await server().db.collection("audit_logs").find({ action: "sop.acknowledgement_remind" });
    const own = log.filter(({ companyId }) => companyId === company.id);
    expect(own.map(({ entityId }) => entityId).toSorted()).toEqual([press, oven, oven].toSorted());
  });

  test("reminds only people and SOPs that the filters leave", async () => {
    await ask(press, { userIds: [rita.id, otto.id], dueDays: 1 });
    await ask(oven, { userIds: [otto.id], dueDays: 1 });
    await days(3);
    expect((await overview(boss, { search: "rita" })).counts.toRemind).toBe(1);
    expect(await remind({ search: "rita" })).toEqual({ reminded: 1, already: 0 });
    expect(await reminders(rita)).toEqual([press]);
    expect(await reminders(otto)).toEqual([]);
    expect(await remind({ search: "oven" })).toEqual({ reminded: 1, already: 0 });
    expect(await reminders(otto)).toEqual([oven]);
  });

  test("exports a line for each person and SOP, without formulas, and the audit log records the export", async () => {
    const evil = await company.user("viewer", { name: '=HYPERLINK("http://x")' });
    await ask(press, { userIds: [evil.id, rita.id], dueDays: 5 });
    await rita.client.acknowledgements.confirm({ params: { id: press }, body: { version: 1 } });
    const file = await boss.send({ path: "/api/acknowledgements/overview/export" });
    expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [head, ...lines] = file.body.trimEnd().split("\r\n");
    expect(head).toBe("team,person,userId,sop,title,state,dueBy,version,confirmedAt");
    expect(lines.map((line) => line.replaceAll(/[0-9a-f-]{36}|20\d\d-\d\d-\d\dT\S+?Z/g, "#"))).toEqual([
      `,"'=HYPERLINK(""http://x"") (${evil.username})",#,SOP-0001,Press,open,${dayFromNow(5)},,`,
      `,Rita Reader (${rita.username}),#,SOP-0001,Press,confirmed,,1,#`,
    ]);
    const log = await server().db.collection("audit_logs").find({ action: "sop.acknowledgement_export" });
    expect(log.filter(({ companyId }) => companyId === company.id)).toHaveLength(1);
  });
});
