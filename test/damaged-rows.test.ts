/** A damaged row costs what it holds. Work that writes beside it goes on. */
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reminderMarkId } from "../server/acknowledgements/overview.ts";
import { sopUseId } from "../server/favorites/sop-use-id.ts";
import { digestKind, digestWindowMs } from "../server/notifications/digest.ts";
import { damageDocument } from "./damage.ts";
import { closeStreams, numberOf, openEventStream, positionOf } from "./event-stream.ts";
import { mailsTo, sendNotice, setEmail } from "./notices.ts";
import { startServer, type Company, type TestServer, type TestUser } from "./server.ts";

let server: TestServer;
let company: Company;
let writer: TestUser;
let reader: TestUser;

beforeEach(async () => {
  server = await startServer("sqlite", { sendsEmail: true });
  company = await server.company();
  writer = await company.user("manager");
  reader = await company.user("viewer");
});
afterEach(async () => {
  closeStreams();
  await server.stop();
});

const damage = (id: string) => server.restart(() => damageDocument(path.join(server.dataDir, "sopwright.db"), id));
const known = () => server.running.services.damage.lines();
const draft = { title: "Rinse the mill", description: "D", markdown: "M" };
const create = async (title = draft.title) => (await writer.client.sops.create({ body: { ...draft, title } })).id;

test.each([2, 3, 5])("streams that come back to the unreadable event %s start over", async (seq) => {
  for (let n = 0; n < 5; n++) await create();
  const event = await server.db.forCompany(company.id).collection("events").findOne({ seq });
  await damage(event?._id ?? "");
  const stream = await openEventStream(server, writer, positionOf(server, writer, 1));
  const [first] = await stream.messages(1);
  expect([first?.event, numberOf(server, writer, first?.id ?? "")]).toEqual(["reset", 5]);
  expect(await known()).toEqual([expect.stringContaining(`document ${event?._id} of events`)]);
});

test("an unreadable email order costs no save and no email", async () => {
  const address = await setEmail(server, reader);
  const id = await create();
  await sendNotice(server, [reader], { kind: "mention", sopId: id });
  const order = `${digestKind}:${reader.id}`;
  await damage(order);
  await writer.client.sops.publish({ params: { id }, body: {} });
  await sendNotice(server, [reader, writer], { kind: "mention", sopId: id });
  await sendNotice(server, [reader, writer], { kind: "comment", sopId: id });
  expect(await known()).toEqual([expect.stringContaining(`document ${order} of outbox`)]);
  server.clock.advance(digestWindowMs);
  const subjects = async () => (await mailsTo(server, address)).map(({ subject }) => subject);
  await expect.poll(subjects, { timeout: 20_000 }).toEqual(["3 new notifications"]);
});

test("an unreadable mark of a reminder counts as done, and others are reminded", async () => {
  const id = await create();
  await writer.client.sops.publish({ params: { id }, body: {} });
  const others = [await company.user("viewer"), await company.user("viewer")];
  const ids = [reader, ...others].map((user) => user.id);
  await writer.client.acknowledgements.ask({ params: { id }, body: { userIds: ids, dueDays: 7 } });
  const remind = (...userIds: string[]) => writer.client.acknowledgements.remind({ body: { userIds } });
  expect(await remind(reader.id)).toEqual({ reminded: 1, already: 0 });
  const marks = await server.db.collection("deadline_marks").find({});
  const mark = marks.find(({ _id }) => _id === reminderMarkId(reader.id, server.clock.now()))?._id ?? "";
  await damage(mark);
  expect(await remind(...ids)).toEqual({ reminded: 2, already: 1 });
  expect(await known()).toEqual([expect.stringContaining(`document ${mark} of deadline_marks`)]);
});

test("an unreadable mark of a notice to readers counts as done, and others get theirs", async () => {
  const id = await create();
  await writer.client.sops.publish({ params: { id }, body: {} });
  const ask = (...users: TestUser[]) =>
    writer.client.acknowledgements.ask({ params: { id }, body: { userIds: users.map((user) => user.id), dueDays: 7 } });
  const marks = async () => (await server.db.collection("deadline_marks").find({})).map(({ _id }) => _id);
  const other = await company.user("viewer");
  await ask(reader);
  await expect.poll(marks, { timeout: 20_000 }).toHaveLength(1);
  const [mark = ""] = await marks();
  await damage(mark);
  await ask(reader, other);
  const unread = async () => (await other.client.notifications.count()).unread;
  await expect.poll(unread, { timeout: 20_000 }).toBe(1);
  expect((await reader.client.notifications.count()).unread).toBe(1);
  expect(await known()).toEqual([expect.stringContaining(`document ${mark} of deadline_marks`)]);
});

test("an unreadable recent SOP keeps no other from being recorded", async () => {
  const ids = [await create("One"), await create("Two"), await create("Three")];
  for (const id of ids) await writer.client.sops.publish({ params: { id }, body: {} });
  // what was opened is stored before a server ends
  await server.restart();
  const [one = "", two = "", three = ""] = ids;
  await damage(sopUseId(writer.id, two));
  for (const user of [writer, reader]) for (const id of ids) await user.client.sops.get({ params: { id } });
  server.clock.advance(1_000);
  await server.restart();
  const uses = await server.db.forCompany(company.id).collection("sop_uses").find({});
  expect(uses.map(({ _id }) => _id).toSorted()).toEqual(
    [one, three, ...ids].map((id, at) => sopUseId(at < 2 ? writer.id : reader.id, id)).toSorted(),
  );
});

test("an unreadable search without results keeps no other from being recorded", async () => {
  const search = (q: string) => writer.client.search.find({ query: { q } });
  await search("zeppelins");
  await server.running.services.missed.flush();
  const missed = () => server.db.forCompany(company.id).collection("missed_searches").find({});
  const [first] = await missed();
  await damage(first?._id ?? "");
  await search("zeppelins");
  await search("submarines");
  await server.running.services.missed.flush();
  expect((await missed()).map(({ words }) => words)).toEqual(["submarines"]);
});

test("an unreadable suggestion costs itself", async () => {
  const markdown = "SOP _Dispose of oily rags_, SOP _Order absorbents_\n";
  await writer.client.sops.create({ body: { ...draft, markdown } });
  const found = await writer.client.assistant.suggest();
  const [lost, ...rest] = found.map(({ id }) => id);
  await damage(lost ?? "");
  expect((await writer.client.assistant.suggest()).map(({ id }) => id)).toEqual(rest);
  expect(await known()).toEqual([expect.stringContaining(`document ${lost} of ai_suggestions`)]);
});
