import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { closeStreams, numberOf, openEventStream, positionOf, type Stream } from "../../test/event-stream.ts";
import { sendNotice } from "../../test/notices.ts";
import { describeServer, startServer, type Engine, type TestServer, type TestUser } from "../../test/server.ts";
import { mongoUri } from "../../test/database/mongo-uri.ts";

afterEach(closeStreams);

/** As in production, where all servers have the same. */
const env = { APP_KEYS: `k1:${randomBytes(32).toString("base64")}` };

describeServer("events", define, { env });

function define(server: () => TestServer, engine: Engine) {
  const draft = { title: "A secret title", description: "D", markdown: "M" };
  const numbers = async (stream: Stream, user: TestUser, count: number) =>
    (await stream.messages(count)).map(({ id }) => numberOf(server(), user, id));
  const after = (user: TestUser, number: number) => positionOf(server(), user, number);

  test("report changes to the user's own company only, by ids", async () => {
    const [company, other] = [await server().company(), await server().company()];
    const [writer, reader, stranger] = [
      await company.user("manager"),
      await company.user("editor"),
      await other.user("manager"),
    ];
    const [mine, theirs] = [await openEventStream(server(), reader), await openEventStream(server(), stranger)];
    const { id } = await writer.client.sops.create({ body: draft });
    await writer.client.sops.update({ params: { id }, body: { title: "Another secret" } });
    await writer.client.categories.create({ body: { name: "Hidden" } });
    await stranger.client.sops.create({ body: draft });
    const told = await mine.messages(3);
    expect(told.map((one) => [numberOf(server(), reader, one.id), one.data.sopId])).toEqual([
      [1, id],
      [2, id],
      [3, null],
    ]);
    expect(told.map(({ data }) => data.id)).toEqual(told.map((one) => one.id));
    expect(told[0]?.data.resources).toEqual(["sops", "categories", "stats"]);
    expect(mine.text()).not.toMatch(/secret|Hidden/);
    expect((await theirs.messages(1)).length).toBe(1);
    expect(theirs.text()).not.toContain(id);
  });

  test("report a comment on a draft only to people who see the draft", async () => {
    const company = await server().company();
    const [author, editor, reader, granted] = await Promise.all(
      (["manager", "editor", "viewer", "viewer"] as const).map((role) => company.user(role)),
    );
    if (!author || !editor || !reader || !granted) throw new Error("four users were made");
    const { id } = await author.client.sops.create({ body: { ...draft, status: "published" } });
    await author.client.sops.grant({ params: { id }, body: { userId: granted.id, permission: "comment" } });
    await author.client.sops.update({ params: { id }, body: { markdown: "Another text\n" } });
    const streams = await Promise.all([editor, granted, reader].map((user) => openEventStream(server(), user)));
    await author.client.comments.create({ params: { id }, body: { content: "On the draft" } });
    await author.client.comments.create({ params: { id }, body: { content: "On what is in force", version: 1 } });
    const told = async (stream: Stream | undefined, count: number) =>
      (await stream?.messages(count))
        ?.filter(({ data }) => data.resources?.includes("comments") === true)
        .map(({ data }) => data.sopId);
    expect(await told(streams[0], 2)).toEqual([id, id]);
    expect(await told(streams[1], 2)).toEqual([id, id]);
    expect(await told(streams[2], 1)).toEqual([id]);
  });

  test("repeat missed ones from Last-Event-ID on, once", async () => {
    const user = await (await server().company()).user("manager");
    for (let n = 0; n < 5; n++) await user.client.sops.create({ body: draft });
    const stream = await openEventStream(server(), user, after(user, 2));
    expect(await numbers(stream, user, 3)).toEqual([3, 4, 5]);
    await user.client.sops.create({ body: draft });
    expect(await numbers(stream, user, 4)).toEqual([3, 4, 5, 6]);
    const fresh = await openEventStream(server(), user);
    await user.client.sops.create({ body: draft });
    expect(await numbers(fresh, user, 1)).toEqual([7]);
  });

  test("leave no gap between what a page reads and its stream", async () => {
    const user = await (await server().company()).user("manager");
    await user.client.sops.create({ body: draft });
    const { eventSeq } = (await user.client.auth.me()).user;
    expect(numberOf(server(), user, eventSeq)).toBe(1);
    await user.client.sops.create({ body: draft });
    const stream = await openEventStream(server(), user, undefined, `?since=${eventSeq}`);
    expect(await numbers(stream, user, 1)).toEqual([2]);
    await user.client.sops.create({ body: draft });
    // a browser that comes back asks for the same address, and says what it has
    const back = await openEventStream(server(), user, after(user, 2), `?since=${eventSeq}`);
    expect(await numbers(back, user, 1)).toEqual([3]);
  });

  test("start at the number of the session check, before the page's other reads", async () => {
    const user = await (await server().company()).user("manager");
    await user.client.sops.create({ body: draft });
    const { eventSeq } = await user.client.auth.check();
    expect(numberOf(server(), user, eventSeq ?? "")).toBe(1);
    const before = await user.client.stats.get();
    await user.client.sops.create({ body: draft });
    // begun beside the other reads, and answered after the write
    expect(numberOf(server(), user, (await user.client.auth.me()).user.eventSeq)).toBe(2);
    expect((await user.client.stats.get()).totalSOPs).toBe(before.totalSOPs + 1);
    const stream = await openEventStream(server(), user, undefined, `?since=${eventSeq}`);
    expect(await numbers(stream, user, 1)).toEqual([2]);
  });

  test("report that everything may have changed after a gap or an unknown id", async () => {
    const user = await (await server().company()).user("manager");
    for (let n = 0; n < 4; n++) await user.client.sops.create({ body: draft });
    await server()
      .db.forCompany(user.companyId)
      .collection("events")
      .deleteMany({ seq: { $lte: 3 } });
    const reset = { event: "reset", data: {} };
    const stranger = await (await server().company()).user("manager");
    const unknown = [after(user, 1), after(user, 99), after(stranger, 2), `${after(user, 2)}x`, "2"];
    const streams = await Promise.all(unknown.map((id) => openEventStream(server(), user, id)));
    for (const stream of streams) {
      expect(await stream.messages(1)).toMatchObject([reset]);
      expect(await numbers(stream, user, 1)).toEqual([4]);
    }
    await user.client.sops.create({ body: draft });
    for (const stream of streams) {
      expect((await stream.messages(2))[1]).toMatchObject({ event: "message" });
      expect(await numbers(stream, user, 2)).toEqual([4, 5]);
    }
    // everything that was missed is gone
    await server().db.forCompany(user.companyId).collection("events").deleteMany({});
    const late = await openEventStream(server(), user, after(user, 2));
    expect(await late.messages(1)).toMatchObject([reset]);
    expect(await numbers(late, user, 1)).toEqual([5]);
  });

  // well below the heartbeat, which would end them too
  test("end soon with their session, token, user or company", async () => {
    const company = await server().company();
    const [one, two, three, stays] = await Promise.all(
      ["manager", "editor", "viewer", "manager"].map((role) => company.user(role as "manager")),
    );
    if (!one || !two || !three || !stays) throw new Error("four users were made");
    const streams = await Promise.all([one, two, three, stays].map((user) => openEventStream(server(), user)));
    await one.send({ method: "POST", path: "/api/auth/logout", headers: { "content-type": "application/json" } });
    await streams[0]?.ended;
    const cookie = (await server().signIn(two.username)).headers.all("set-cookie")[0]?.split(";")[0] ?? "";
    const elsewhere = { ...two, cookie };
    const other = await openEventStream(server(), elsewhere);
    await two.client.sessions.endOthers({});
    await other.ended;
    await server()
      .db.collection("users")
      .updateOne({ _id: three.id }, { $set: { status: "suspended" } });
    await streams[2]?.ended;
    await stays.client.sops.create({ body: draft });
    expect((await streams[3]?.messages(1))?.length).toBe(1);
    // the end of the user's other sessions, and another user's comment
    expect((await streams[1]?.messages(2))?.map(({ data }) => data.resources?.[0])).toEqual(["sessions", "sops"]);
    await company.set({ status: "suspended" });
    await Promise.all([streams[1]?.ended, streams[3]?.ended]);
  });

  // well below the time after which the server cuts what is still open
  test("need a session, and end when the server stops", async () => {
    const user = await (await server().company()).user("manager");
    const nobody = await openEventStream(server(), { ...user, cookie: "sid=unknown" });
    expect(nobody.status).toBe(401);
    const stream = await openEventStream(server(), user);
    const before = (await user.client.auth.me()).user.eventSeq;
    await server().restart();
    await stream.ended;
    // a browser comes back with the last id it has
    await user.client.sops.create({ body: draft });
    expect(await numbers(await openEventStream(server(), user, before), user, 1)).toEqual([1]);
  });

  test("for one user reach only that user, and leave no gap for others", async () => {
    const company = await server().company();
    const [writer, reader] = [await company.user("manager"), await company.user("viewer")];
    const [theirs, mine] = [await openEventStream(server(), writer), await openEventStream(server(), reader)];
    await sendNotice(server(), [reader], { kind: "published" });
    await writer.client.sops.create({ body: draft });
    await reader.client.notifications.readAll({});
    await reader.client.notifications.readAll({});
    const shown = await writer.client.sops.create({ body: { ...draft, status: "published" } });
    const heard = await mine.messages(3);
    expect(heard.map(({ id, data }) => [numberOf(server(), reader, id), data.resources?.[0], data.sopId])).toEqual([
      [1, "notifications", null],
      // the second had nothing to mark, and a draft is not for readers
      [3, "notifications", null],
      [4, "sops", shown.id],
    ]);
    expect(await numbers(theirs, writer, 2)).toEqual([2, 4]);
    const back = await openEventStream(server(), writer, after(writer, 0));
    expect(await numbers(back, writer, 2)).toEqual([2, 4]);
    expect(back.text()).not.toContain("notifications");
  });

  test.skipIf(engine === "sqlite" || mongoUri() === null)(
    "come from other servers too, and go on at another server where one stopped",
    { timeout: 60_000 },
    async () => {
      const second = await startServer(engine, { beside: server(), env });
      const company = await server().company();
      const [writer, reader] = [await company.user("manager"), await company.user("editor")];
      const stream = await openEventStream(second, reader);
      for (let n = 0; n < 3; n++) await writer.client.sops.create({ body: draft });
      await sendNotice(server(), [reader], { kind: "published" });
      expect(await numbers(stream, reader, 4)).toEqual([1, 2, 3, 4]);
      await second.stop();
      await stream.ended;
      await writer.client.sops.create({ body: draft });
      // where the stopped server was
      const resumed = await openEventStream(server(), reader, (await stream.messages(4)).at(-1)?.id);
      await writer.client.sops.create({ body: draft });
      expect((await resumed.messages(2)).map(({ event }) => event)).toEqual(["message", "message"]);
      expect(await numbers(resumed, reader, 2)).toEqual([5, 6]);
    },
  );

  test("by the hundred arrive in order, each once, at listeners on every server", async () => {
    const company = await server().company();
    const [writer, reader] = [await company.user("manager"), await company.user("editor")];
    const early = await openEventStream(server(), reader);
    for (let n = 0; n < 150; n++) await sendNotice(server(), [reader], { kind: "published" });
    const storm = Promise.all(
      Array.from({ length: 150 }, () => sendNotice(server(), [reader, writer], { kind: "published" })),
    );
    const late = await openEventStream(server(), reader, after(reader, 7));
    await storm;
    const all = Array.from({ length: 300 }, (_, n) => n + 1);
    expect(await numbers(early, reader, 300)).toEqual(all);
    expect(await numbers(late, reader, 293)).toEqual(all.slice(7));
  });
}

describe.each([
  { engine: "sqlite" as const, isThere: true },
  { engine: "mongodb" as const, isThere: mongoUri() !== null },
])("a save on $engine", ({ engine, isThere }) => {
  test.skipIf(!isThere)("wakes listeners, repository and index of its own company only", async () => {
    const asked: string[] = [];
    const server = await startServer(engine, {
      onQuery: ({ collection, filter }) => asked.push(`${collection} ${JSON.stringify(filter)}`),
      onCommand: (name, command) => {
        if (name === "find") asked.push(`${String(command[name])} ${JSON.stringify(command["filter"])}`);
      },
    });
    try {
      const companies = [await server.company(), await server.company(), await server.company()];
      const users = await Promise.all(companies.map((company) => company.user("manager")));
      const streams = await Promise.all(users.map((user) => openEventStream(server, user)));
      for (const user of users) {
        await user.client.sops.create({ body: { title: "Pump", description: "D", markdown: "M" } });
        await user.client.search.find({ query: { q: "pump" } });
        await server.running.services.repositories.drain(user.companyId);
      }
      await Promise.all(streams.map((stream) => stream.messages(1)));
      const [saving, ...others] = users;
      if (!saving) throw new Error("three users were made");
      const woken = () => asked.filter((one) => /^(events|users|companies|sessions|repo_events|counters) /.test(one));
      const ofOthers = () => woken().filter((one) => others.some(({ companyId }) => one.includes(companyId)));
      // what the writes above woke comes to rest
      await vi.waitFor(
        async () => {
          asked.length = 0;
          await delay(1_000);
          expect(ofOthers()).toEqual([]);
        },
        { timeout: 30_000 },
      );
      asked.length = 0;
      await saving.client.sops.create({ body: { title: "Valve", description: "D", markdown: "M" } });
      await streams[0]?.messages(2);
      await server.running.services.repositories.drain(saving.companyId);
      expect(woken().filter((one) => one.includes(saving.companyId))).not.toEqual([]);
      expect(ofOthers()).toEqual([]);
      // no query reads the counters of all companies
      expect(woken().filter((one) => one === "counters {}")).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});
