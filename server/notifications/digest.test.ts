import { expect, test } from "vitest";
import { describeServer, startServer, type TestServer, type TestUser } from "../../test/server.ts";
import { digestKind, digestWindowMs } from "./digest.ts";
import { afterMail, setEmail, mailsTo, sendNotice, sendNoticeFromOtherProcess } from "../../test/notices.ts";
import { mongoUri } from "../../test/database/mongo-uri.ts";

const body = { title: "Lock out the press", description: "D", markdown: "M", status: "published" } as const;

describeServer("emails about notifications", (server, engine) => {
  async function cast(): Promise<{ writer: TestUser; reader: TestUser; address: string; sopId: string; actor: Actor }> {
    const company = await server().company();
    const [writer, reader] = [await company.user("manager", { name: "Ada" }), await company.user("viewer")];
    const { id: sopId } = await writer.client.sops.create({ body });
    const actor = { _id: writer.id, name: writer.name, username: "ada.l" };
    return { writer, reader, address: await setEmail(server(), reader), sopId, actor };
  }
  type Actor = { _id: string; name: string; username: string };

  /** Ends the window of the notifications before. */
  async function windowEnds(user: TestUser, one: TestServer = server()): Promise<void> {
    one.clock.advance(digestWindowMs);
    await afterMail(one, user);
  }

  test("about one notification have its subject, and go out after five minutes, not before", async () => {
    const { reader, address, sopId, actor } = await cast();
    await sendNotice(server(), [reader], { kind: "mention", sopId, actor });
    server().clock.advance(digestWindowMs - 1);
    await afterMail(server(), reader);
    expect(await mailsTo(server(), address)).toEqual([]);
    server().clock.advance(1);
    await afterMail(server(), reader);
    const [mail, ...more] = await mailsTo(server(), address);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe("Ada (ada l) mentioned you in a comment on SOP-0001 “Lock out the press”");
    expect(mail?.text).toContain(`${server().url}/sop/${sopId}\n`);
    await windowEnds(reader);
    expect((await mailsTo(server(), address)).length).toBe(1);
  });

  test("combine a hundred at once into one, and lose none", async () => {
    const { reader, address, sopId, actor } = await cast();
    const notice = { kind: "mention", sopId, actor } as const;
    const at = server().clock.now();
    const elsewhere = async () => {
      for (let n = 0; n < 20; n++) await sendNoticeFromOtherProcess(server(), reader, { ...notice, at });
    };
    await Promise.all([elsewhere(), ...Array.from({ length: 80 }, () => sendNotice(server(), [reader], notice))]);
    expect((await reader.client.notifications.count()).unread).toBe(100);
    await windowEnds(reader);
    const [mail, ...more] = await mailsTo(server(), address);
    expect([mail?.subject, more]).toEqual(["100 new notifications", []]);
    expect(mail?.text.match(/^- Ada \(ada l\) mentioned you in a comment on SOP-0001/gm)?.length).toBe(20);
    expect(mail?.text).toContain("- and 80 more");
  });

  test("leave notifications that arrive while one is written to the next, five minutes later", async () => {
    const { reader, address, sopId, actor } = await cast();
    const notice = { kind: "mention", sopId, actor } as const;
    await sendNotice(server(), [reader], notice);
    server().clock.advance(digestWindowMs);
    // while the outbox handles the first, and right after
    const more = Promise.all(Array.from({ length: 10 }, () => sendNotice(server(), [reader], notice)));
    await afterMail(server(), reader);
    await more;
    await windowEnds(reader);
    const told = (await mailsTo(server(), address)).map(({ subject }) => Number(/^(\d+) new/.exec(subject)?.[1] ?? 1));
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(11);
    expect(told.length).toBeLessThanOrEqual(2);
    const waiting = { userId: reader.id, toMail: true };
    expect(await server().db.forCompany(reader.companyId).collection("notifications").findOne(waiting)).toBeNull();
  });

  test("are five minutes apart, even when the first was late", async () => {
    const { reader, address, sopId, actor } = await cast();
    const notice = { kind: "mention", sopId, actor } as const;
    await sendNotice(server(), [reader], notice);
    server().clock.advance(digestWindowMs * 3);
    await afterMail(server(), reader);
    expect((await mailsTo(server(), address)).length).toBe(1);
    await sendNotice(server(), [reader], notice);
    server().clock.advance(digestWindowMs - 1);
    await afterMail(server(), reader);
    expect((await mailsTo(server(), address)).length).toBe(1);
    server().clock.advance(1);
    await afterMail(server(), reader);
    expect((await mailsTo(server(), address)).length).toBe(2);
  });

  test("wait since their own first notification, as operators see it", async () => {
    const { reader, address, sopId, actor } = await cast();
    await sendNotice(server(), [reader], { kind: "mention", sopId, actor });
    await windowEnds(reader);
    server().clock.advance(30 * 24 * 3_600_000);
    await sendNotice(server(), [reader], { kind: "mention", sopId, actor });
    const waits = { companyId: reader.companyId, kind: digestKind, state: "pending" } as const;
    const [item] = await server().db.collection("outbox").find(waits);
    expect(item?.createdAt).toBe(server().clock.now());
    await windowEnds(reader);
    expect(await mailsTo(server(), address)).toHaveLength(2);
  });

  test("are retried after a failure, with the notifications since", async () => {
    const { reader, address, sopId, actor } = await cast();
    const _id = `${digestKind}:${reader.id}`;
    await sendNotice(server(), [reader], { kind: "mention", sopId, actor });
    // as after ten tries that failed
    await server()
      .db.collection("outbox")
      .updateOne({ _id }, { $set: { state: "failed", attempts: 10 } });
    await sendNotice(server(), [reader], { kind: "comment", sopId, actor });
    await windowEnds(reader);
    expect((await mailsTo(server(), address)).map(({ subject }) => subject)).toEqual(["2 new notifications"]);
  });

  test("are neither lost nor sent twice by a restart", async () => {
    const { reader, address, sopId, actor } = await cast();
    await sendNotice(server(), [reader], { kind: "mention", sopId, actor });
    await server().restart();
    await sendNotice(server(), [reader], { kind: "comment", sopId, actor });
    await windowEnds(reader);
    await server().restart();
    await windowEnds(reader);
    expect((await mailsTo(server(), address)).map(({ subject }) => subject)).toEqual(["2 new notifications"]);
  });

  test("leave out notifications that were read, are unwanted by email, or are only for the app", async () => {
    const { reader, address, sopId, actor } = await cast();
    await reader.client.settings.update({ body: { mailChoices: { comment: false } } });
    for (const kind of ["comment", "published", "mention"] as const)
      await sendNotice(server(), [reader], { kind, sopId, actor });
    await windowEnds(reader);
    expect((await mailsTo(server(), address)).map(({ subject }) => subject)).toEqual([
      "Ada (ada l) mentioned you in a comment on SOP-0001 “Lock out the press”",
    ]);
    await sendNotice(server(), [reader], { kind: "mention", sopId, actor });
    await reader.client.notifications.readAll({});
    await windowEnds(reader);
    expect((await mailsTo(server(), address)).length).toBe(1);
    // an old choice does not bring back what was passed over
    await reader.client.settings.update({ body: { mailChoices: { comment: true } } });
    await sendNotice(server(), [reader], { kind: "comment", sopId, actor });
    await windowEnds(reader);
    expect((await mailsTo(server(), address))[1]?.subject).toBe(
      "Ada (ada l) commented on SOP-0001 “Lock out the press”",
    );
  });

  test("leave out hidden SOPs, and the title of a draft for readers of the published version", async () => {
    const { writer, reader, address, sopId, actor } = await cast();
    const draft = await writer.client.sops.create({ body: { ...body, title: "Quartz draft", status: "draft" } });
    await writer.client.sops.update({ params: { id: sopId }, body: { title: "Quartz head" } });
    const at = { sopId, actor };
    await sendNotice(server(), [reader], { kind: "mention", sopId: draft.id, actor });
    await sendNotice(server(), [reader], { kind: "approval_requested", ...at });
    await sendNotice(server(), [reader], { kind: "comment", ...at, detail: { audience: "head" } });
    await sendNotice(server(), [reader], { kind: "approval_approved", ...at, detail: { version: 2 } });
    await windowEnds(reader);
    expect(await mailsTo(server(), address)).toEqual([]);
    await sendNotice(server(), [reader], { kind: "review_due", ...at });
    await windowEnds(reader);
    const [mail] = await mailsTo(server(), address);
    expect(mail?.subject).toBe("SOP-0001 “Lock out the press” is due for review");
    expect(JSON.stringify(mail)).not.toContain("Quartz");
  });

  test("don't go to suspended users, users without an address, or suspended companies", async () => {
    for (const end of ["user", "address", "company"] as const) {
      const { writer, reader, address, sopId, actor } = await cast();
      await sendNotice(server(), [reader], { kind: "mention", sopId, actor });
      const users = server().db.collection("users");
      if (end === "user") await users.updateOne({ _id: reader.id }, { $set: { status: "suspended" } });
      if (end === "address") await users.updateOne({ _id: reader.id }, { $set: { email: null } });
      const companies = server().db.collection("companies");
      if (end === "company") await companies.updateOne({ _id: writer.companyId }, { $set: { status: "suspended" } });
      await windowEnds(reader);
      expect([end, await mailsTo(server(), address)]).toEqual([end, []]);
    }
  });

  test.skipIf(engine === "sqlite" || mongoUri() === null)("are sent once by two servers", async () => {
    const second = await startServer(engine, { beside: server() });
    try {
      const { reader, address, sopId, actor } = await cast();
      for (const one of [server(), second, server()])
        await sendNotice(one, [reader], { kind: "mention", sopId, actor });
      server().clock.advance(digestWindowMs);
      await Promise.all([afterMail(server(), reader), afterMail(second, reader)]);
      const mails = [...(await mailsTo(server(), address)), ...(await mailsTo(second, address))];
      expect(mails.map(({ subject }) => subject)).toEqual(["3 new notifications"]);
    } finally {
      await second.stop();
    }
  });
});
