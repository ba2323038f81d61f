import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { presenceLifetimeMs, maxPresencesPerUser, type PresenceState } from "#core/presence/rules.ts";
import { closeStreams, openEventStream, type Stream } from "../../test/event-stream.ts";
import { describeServer, json, startServer, type Company, type TestServer, type TestUser } from "../../test/server.ts";
import { mongoUri } from "../../test/database/mongo-uri.ts";

afterEach(closeStreams);

const draft = { title: "Boiler check", description: "D", markdown: "Look at it.\n" };

interface Screen {
  tab: string;
  say(state: PresenceState): ReturnType<TestUser["client"]["presence"]["announce"]>;
}

/** The edit screen in one tab of a user. */
function screenOf({ client }: TestUser, id: string): Screen {
  const tab = randomUUID();
  return { tab, say: (state) => client.presence.announce({ params: { id }, body: { tab, state } }) };
}

async function cast(company: Company) {
  const [ann, bob, reader] = [
    await company.user("editor", { name: "Ann Archer" }),
    await company.user("manager", { name: "Bob Baker" }),
    await company.user("viewer", { name: "Vic Viewer" }),
  ];
  return { ann, bob, reader };
}

const listed = async ({ client }: TestUser, id: string) => client.presence.list({ params: { id } });
const names = async (user: TestUser, id: string) => (await listed(user, id)).people.map(({ name }) => name);

/** How many presence events a stream had before the event of this moment. */
async function heard(stream: Stream, { client }: TestUser): Promise<number> {
  const { id } = await client.sops.create({ body: { ...draft, status: "published" } });
  for (let count = 1; ; count++) {
    const messages = await stream.messages(count);
    if (messages.some(({ data }) => data.sopId === id))
      return messages.filter(({ data }) => data.resources?.includes("presence")).length;
  }
}

describeServer("presence", (server, engine) => {
  const met = () => server().running.deadlines.run();

  test("shows people who see the draft who edits it, and when that ends", async () => {
    const { ann, bob } = await cast(await server().company());
    const { id } = await bob.client.sops.create({ body: draft });
    expect(await listed(bob, id)).toEqual({ people: [], ownTabs: [] });
    const stream = await openEventStream(server(), bob);
    const screen = screenOf(ann, id);
    expect(await screen.say("here")).toEqual({ people: [], ownTabs: [screen.tab] });
    const [told] = await stream.messages(1);
    expect(told?.data).toEqual({ id: told?.id, resources: ["presence"], sopId: id });
    expect(await listed(bob, id)).toEqual({
      people: [{ id: ann.id, name: "Ann Archer", initials: "AA" }],
      ownTabs: [],
    });
    await screen.say("gone");
    await stream.messages(2);
    expect(await names(bob, id)).toEqual([]);
    expect(stream.text()).not.toMatch(/Ann|Archer|Boiler/);
  });

  test("is hidden from readers of the published version, in answers and in the stream", async () => {
    const company = await server().company();
    const { ann, bob, reader } = await cast(company);
    const { id } = await bob.client.sops.create({ body: { ...draft, status: "published" } });
    const { id: unseen } = await bob.client.sops.create({ body: draft });
    const [theirs, bobs] = [await openEventStream(server(), reader), await openEventStream(server(), bob)];
    const ask = async (sop: string) => {
      const { status, body } = await reader.send({ path: `/api/sops/${sop}/presence` });
      return [status, body];
    };
    const before = [await ask(id), await ask(unseen)];
    await screenOf(ann, id).say("here");
    await screenOf(ann, unseen).say("here");
    expect([await ask(id), await ask(unseen)]).toEqual(before);
    expect(before[0]).toEqual([200, JSON.stringify({ people: [], ownTabs: [] })]);
    expect(before[1]).toEqual(await ask(randomUUID()));
    expect(await names(bob, id)).toEqual(["Ann Archer"]);
    expect([await heard(theirs, bob), await heard(bobs, bob)]).toEqual([0, 2]);
  });

  test("on a restricted SOP is for people with access", async () => {
    const company = await server().company();
    const { ann, bob, reader } = await cast(company);
    const admin = await company.user("company_admin");
    const { id } = await bob.client.sops.create({ body: draft });
    await bob.client.sops.grant({ params: { id }, body: { userId: reader.id, permission: "comment" } });
    await bob.client.sops.restrict({ params: { id }, body: { restricted: true } });
    const streams = await Promise.all([reader, admin, ann].map((user) => openEventStream(server(), user)));
    await screenOf(bob, id).say("here");
    const [granted, administrator, outside] = streams as [Stream, Stream, Stream];
    for (const stream of [granted, administrator])
      expect((await stream.messages(1))[0]?.data).toMatchObject({ resources: ["presence"], sopId: id });
    expect(await names(reader, id)).toEqual(["Bob Baker"]);
    expect(await heard(outside, bob)).toBe(0);
    expect((await ann.send({ path: `/api/sops/${id}/presence` })).status).toBe(404);
  });

  test("is announced by users who can edit, by session", async () => {
    const { ann, bob, reader } = await cast(await server().company());
    const { id } = await bob.client.sops.create({ body: { ...draft, status: "published" } });
    const put = async (user: TestUser, sop: string) => {
      const body = JSON.stringify({ tab: randomUUID(), state: "here" });
      return (await user.send({ method: "PUT", path: `/api/sops/${sop}/presence`, headers: json, body })).status;
    };
    expect(await put(reader, id)).toBe(403);
    expect(await put(reader, randomUUID())).toBe(404);
    expect(await put(ann, id)).toBe(200);
    expect(await names(bob, id)).toEqual(["Ann Archer"]);
  });

  test("changes only its time when repeated: no event, no audit row, nothing of the SOP", async () => {
    const company = await server().company();
    const { ann, bob } = await cast(company);
    const { id } = await bob.client.sops.create({ body: draft });
    const screen = screenOf(ann, id);
    const stored = async () => ({
      sop: await server().db.collection("sops").findOne({ _id: id }),
      audits: await server().db.collection("audit_logs").countDocuments({ companyId: company.id }),
      ledger: await server().db.collection("repo_events").countDocuments({ companyId: company.id }),
    });
    const before = await stored();
    const seq = async () => (await server().db.collection("counters").findOne({ _id: company.id }))?.eventSeq;
    await screen.say("here");
    const told = await seq();
    for (let minute = 0; minute < 10; minute++) {
      server().clock.advance(presenceLifetimeMs.here - 1);
      await met();
      await screen.say("here");
    }
    await screen.say("hidden");
    server().clock.advance(presenceLifetimeMs.hidden - 1);
    await met();
    expect(await names(bob, id)).toEqual(["Ann Archer"]);
    expect(await seq()).toBe(told);
    expect(await stored()).toEqual(before);
  });

  test("ends when the tab is silent, and people are notified", async () => {
    const { ann, bob } = await cast(await server().company());
    const { id } = await bob.client.sops.create({ body: draft });
    await screenOf(ann, id).say("here");
    const stream = await openEventStream(server(), bob);
    server().clock.advance(presenceLifetimeMs.here);
    expect(await names(bob, id)).toEqual([]);
    await met();
    expect((await stream.messages(1))[0]?.data.resources).toEqual(["presence"]);
    expect(await server().db.collection("presences").countDocuments({ sopId: id })).toBe(0);
    // and once only
    await met();
    expect(await heard(stream, bob)).toBe(1);
  });

  test("ends with the session, the permission and the user", async () => {
    const company = await server().company();
    const { ann, bob } = await cast(company);
    const { id } = await bob.client.sops.create({ body: draft });
    const [cleo, dan] = [await company.user("editor", { name: "Cleo" }), await company.user("editor", { name: "Dan" })];
    for (const user of [ann, cleo, dan]) await screenOf(user, id).say("here");
    expect(await names(bob, id)).toEqual(["Ann Archer", "Cleo", "Dan"]);
    const stream = await openEventStream(server(), bob);
    await ann.send({ method: "POST", path: "/api/auth/logout", headers: json });
    expect(await names(bob, id)).toEqual(["Cleo", "Dan"]);
    await met();
    expect((await stream.messages(1))[0]?.data.resources).toEqual(["presence"]);
    const users = server().db.collection("users");
    await users.updateOne({ _id: cleo.id }, { $set: { role: "viewer" } });
    expect(await names(bob, id)).toEqual(["Dan"]);
    await users.updateOne({ _id: dan.id }, { $set: { status: "suspended" } });
    expect(await names(bob, id)).toEqual([]);
  });

  test("of a user's own other tabs is shown to that user alone", async () => {
    const { ann, bob } = await cast(await server().company());
    const { id } = await bob.client.sops.create({ body: draft });
    const [first, second] = [screenOf(ann, id), screenOf(ann, id)];
    await first.say("here");
    const [anns, bobs] = [await openEventStream(server(), ann), await openEventStream(server(), bob)];
    expect((await second.say("here")).ownTabs).toEqual([first.tab, second.tab]);
    await first.say("gone");
    expect(await listed(ann, id)).toEqual({ people: [], ownTabs: [second.tab] });
    expect(await names(bob, id)).toEqual(["Ann Archer"]);
    expect([await heard(anns, bob), await heard(bobs, bob)]).toEqual([2, 0]);
  });

  test("keeps a limited number of screens of a user, and no user can end another's", async () => {
    const { ann, bob } = await cast(await server().company());
    const { id } = await bob.client.sops.create({ body: draft });
    for (let n = 0; n < maxPresencesPerUser + 5; n++) await screenOf(ann, id).say("here");
    expect((await listed(ann, id)).ownTabs).toHaveLength(maxPresencesPerUser);
    const [tab] = (await listed(ann, id)).ownTabs;
    await bob.client.presence.announce({ params: { id }, body: { tab: tab ?? "", state: "gone" } });
    expect((await listed(ann, id)).ownTabs).toContain(tab);
  });

  test.skipIf(engine === "sqlite" || mongoUri() === null)(
    "is known at every server, and ends there when its own server is killed",
    { timeout: 60_000 },
    async () => {
      const second: TestServer = await startServer(engine, { beside: server() });
      const { ann, bob } = await cast(await server().company());
      const { id } = await bob.client.sops.create({ body: draft });
      const stream = await openEventStream(server(), bob);
      const body = JSON.stringify({ tab: randomUUID(), state: "here" });
      const headers = { ...json, cookie: ann.cookie };
      await second.send({ method: "PUT", path: `/api/sops/${id}/presence`, headers, body });
      await stream.messages(1);
      expect(await names(bob, id)).toEqual(["Ann Archer"]);
      await second.stop();
      server().clock.advance(presenceLifetimeMs.here);
      await met();
      await stream.messages(2);
      expect(await names(bob, id)).toEqual([]);
    },
  );
});
