/** What a reader's stream tells of drafts: nothing, neither that there are any nor how many. */
import { createHash, randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import {
  closeStreams,
  numberOf,
  openEventStream,
  positionOf,
  type Stream,
  type StreamMessage,
} from "../../test/event-stream.ts";
import { sendNotice } from "../../test/notices.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";
import { eventsKeptMs } from "../database/documents/running.ts";

afterEach(closeStreams);

const body = { title: "Boiler check", description: "D", markdown: "Look at it.\n" };
const hourMs = 3_600_000;

describeServer("events of drafts", (server) => {
  const publish = async (user: TestUser) =>
    (await user.client.sops.create({ body: { ...body, status: "published" } })).id;

  /** All the messages that a stream had before a publication of this moment. */
  async function heard(stream: Stream, by: TestUser): Promise<StreamMessage[]> {
    const id = await publish(by);
    for (let count = 1; ; count++) {
      const messages = await stream.messages(count);
      const end = messages.findIndex(({ data }) => data.sopId === id);
      if (end >= 0) return messages.slice(0, end);
    }
  }

  /** Each kind of work on drafts that the API has. */
  async function workOnDrafts(company: Company, author: TestUser, open: string): Promise<void> {
    const [approver, colleague] = [await company.user("manager"), await company.user("editor")];
    const { client } = author;
    const { id } = await client.sops.create({ body });
    for (const sop of [id, open]) {
      const params = { id: sop };
      for (let n = 0; n < 5; n++) await client.sops.update({ params, body: { markdown: `Look ${n} times.\n` } });
      const tab = randomUUID();
      for (const state of ["here", "gone"] as const) await client.presence.announce({ params, body: { tab, state } });
      const comment = await client.comments.create({ params, body: { content: `@${colleague.username} why?` } });
      const ids = { id: sop, commentId: comment.id };
      await client.comments.update({ params: ids, body: { content: "Why so?" } });
      await client.comments.resolve({ params: ids, body: { resolved: true } });
      await client.comments.remove({ params: ids });
      const ask = async () => (await client.sops.requestApproval({ params, body: { approverIds: [approver.id] } })).id;
      await client.approvals.withdraw({ params: { id: await ask() } });
      await approver.client.approvals.requestChanges({ params: { id: await ask() }, body: { comment: "Why?" } });
      await client.sops.grant({ params, body: { userId: colleague.id, permission: "approve" } });
      await client.sops.restore({ params: { id: sop, version: "1" }, body: {} });
    }
    const documents = ["one.md", "two.md"].map((path) => {
      const text = `# ${path}\n\nLook.\n`;
      return { path, text, sha256: createHash("sha256").update(text).digest("hex") };
    });
    await client.sops.import({ body: { importId: randomUUID(), documents } });
    await client.sops.restrict({ params: { id }, body: { restricted: true } });
    await client.sops.update({ params: { id }, body: { title: "Other" } });
    await client.sops.restrict({ params: { id }, body: { restricted: false } });
    await client.sops.remove({ params: { id } });
    await client.sops.undelete({ params: { id } });
    await client.sops.archive({ params: { id }, body: {} });
  }

  test.each(["viewer", "contributor"] as const)("are byte for byte silent to a %s", async (role) => {
    const company = await server().company();
    const [author, reader] = [await company.user("manager"), await company.user(role)];
    const open = await publish(author);
    const stream = await openEventStream(server(), reader);
    await workOnDrafts(company, author, open);
    expect(await heard(stream, author)).toEqual([]);
    expect(stream.text()).toMatch(/^: connected\n\n(?:: beat\n\n)*id: \S+\ndata: \{.*\}\n\n$/);
  });

  test("reach those who see them", async () => {
    const company = await server().company();
    const [author, editor, reader] = [
      await company.user("manager"),
      await company.user("editor"),
      await company.user("viewer"),
    ];
    const { id } = await author.client.sops.create({ body });
    await author.client.sops.grant({ params: { id }, body: { userId: reader.id, permission: "read" } });
    const streams = await Promise.all([author, editor, reader].map((user) => openEventStream(server(), user)));
    await author.client.sops.update({ params: { id }, body: { markdown: "Later.\n" } });
    for (const stream of streams)
      expect((await stream.messages(1))[0]?.data).toMatchObject({
        sopId: id,
        resources: ["sops", "categories", "stats"],
      });
  });

  test("reach users who lose sight of them, by that change and no later one", async () => {
    const company = await server().company();
    await company.letApprove("viewer");
    const [author, approver, shared, editor] = [
      await company.user("company_admin"),
      await company.user("viewer"),
      await company.user("viewer"),
      await company.user("editor"),
    ];
    const { id } = await author.client.sops.create({ body });
    const params = { id };
    const { permissions } = await author.client.sops.grant({
      params,
      body: { userId: shared.id, permission: "read" },
    });
    const request = await author.client.sops.requestApproval({ params, body: { approverIds: [approver.id] } });
    const streams = await Promise.all([approver, shared, editor].map((user) => openEventStream(server(), user)));
    await approver.client.approvals.requestChanges({ params: { id: request.id }, body: { comment: "Why?" } });
    await author.client.sops.revoke({ params: { id, permissionId: permissions[0]?.id ?? "" } });
    await author.client.sops.restrict({ params, body: { restricted: true } });
    await author.client.sops.update({ params, body: { markdown: "Later.\n" } });
    const counts = [];
    for (const stream of streams)
      counts.push(
        (await heard(stream, author)).filter(({ data }) => data.sopId === id && data.resources?.includes("sops"))
          .length,
      );
    // the end of the request · that and the end of the share · those two and the restriction
    expect(counts).toEqual([1, 2, 3]);
  });

  test("become events of readers with what readers see: published, moved, restricted and gone", async () => {
    const company = await server().company();
    const [author, reader] = [await company.user("company_admin"), await company.user("viewer")];
    const id = await publish(author);
    const params = { id };
    const stream = await openEventStream(server(), reader);
    const { client } = author;
    await client.categories.create({ body: { name: "Other" } });
    const steps = [
      () => client.sops.update({ params, body: { markdown: "Later.\n" } }),
      () => client.sops.publish({ params, body: {} }),
      () => client.sops.restrict({ params, body: { restricted: true } }),
      () => client.sops.update({ params, body: { markdown: "Hidden.\n", status: "published" } }),
      () => client.comments.create({ params, body: { content: "Hidden, too" } }),
      () => client.sops.restrict({ params, body: { restricted: false } }),
      () => client.sops.remove({ params }),
      () => client.sops.undelete({ params }),
      () => client.sops.archive({ params, body: {} }),
    ];
    expect((await heard(stream, author)).map(({ data }) => data.resources)).toEqual([["categories", "sops"]]);
    const told: number[] = [];
    for (const step of steps) {
      const before = stream.text().length;
      await step();
      await heard(stream, author);
      told.push(
        [
          ...stream
            .text()
            .slice(before)
            .matchAll(new RegExp(`"sopId":"${id}"`, "g")),
        ].length,
      );
    }
    expect(told).toEqual([0, 1, 1, 0, 0, 1, 1, 1, 1]);
  });

  test("can't be counted by the positions that answers and events carry", async () => {
    const company = await server().company();
    const [author, reader] = [await company.user("manager"), await company.user("viewer")];
    const open = await publish(author);
    const position = async () => (await reader.client.auth.check()).eventSeq ?? "";
    const [first, again] = [await position(), await position()];
    await workOnDrafts(company, author, open);
    const after = await position();
    const { eventSeq: mine } = (await reader.client.auth.me()).user;
    // no two are the same, whether something happened in between or not
    expect(new Set([first, again, after, mine]).size).toBe(4);
    expect(new Set([first, again, after, mine].map(({ length }) => length)).size).toBe(1);
    const numbers = [first, again, after, mine].map((one) => numberOf(server(), reader, one) ?? 0);
    expect((numbers[2] ?? 0) - (numbers[1] ?? 0)).toBeGreaterThan(20);
    const streams = await Promise.all([first, after].map((one) => openEventStream(server(), reader, one)));
    const shown = await publish(author);
    for (const stream of streams) {
      const [message] = await stream.messages(1);
      expect(message?.data).toMatchObject({ id: message?.id, sopId: shown });
      expect(message?.id).toHaveLength(first.length);
    }
    expect(positionOf(server(), reader, 10 ** 15)).toHaveLength(first.length);
  });

  test("don't decide how long a position holds", async () => {
    const company = await server().company();
    const [author, reader, idle] = [
      await company.user("manager"),
      await company.user("viewer"),
      await (await server().company()).user("viewer"),
    ];
    const before = await Promise.all([reader, idle].map(async (user) => (await user.client.auth.me()).user.eventSeq));
    await author.client.sops.create({ body });
    const starts = () =>
      Promise.all(
        [reader, idle].map(async (user, index) => {
          const stream = await openEventStream(server(), user, before[index]);
          await sendNotice(server(), [user], { kind: "published" });
          return (await stream.messages(1))[0]?.event;
        }),
      );
    expect(await starts()).toEqual(["message", "message"]);
    server().clock.advance(eventsKeptMs - hourMs);
    expect(await starts()).toEqual(["reset", "reset"]);
  });
});
