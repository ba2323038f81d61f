/** Threads, anchors, mentions and notices over HTTP. A comment on a draft reaches only people who see the draft. */
import { beforeEach, describe, expect, test } from "vitest";
import { roles } from "#core/permissions/roles.ts";
import { createAnchorText } from "#core/comments/anchor.ts";
import { blocksOfHtml } from "#core/comments/blocks.ts";
import { visibleVersion } from "#core/permissions/can.ts";
import { limits } from "#core/limits.ts";
import { describeServer, json, type Company, type TestUser } from "../../test/server.ts";
import type { CommentDocument, SopDocument } from "../database/documents.ts";
import { actorOf } from "../http/identify.ts";

const text = "Check the guard.\n\n1. Turn the key\n2. Press the green button twice\n";
const document = { title: "Press", description: "How to start it", markdown: text };

describeServer("comments", (server) => {
  let company: Company;
  let editor: TestUser;
  let viewer: TestUser;
  let sop: { id: string };
  beforeEach(async () => {
    company = await server().company();
    editor = await company.user("manager", { name: "Edda Editor" });
    viewer = await company.user("viewer", { name: "Vera Viewer" });
    sop = await editor.client.sops.create({ body: { ...document, status: "published" } });
  });

  const list = (user: TestUser, id = sop.id) => user.client.comments.list({ params: { id } });
  const say = (user: TestUser, body: string, more: object = {}, id = sop.id) =>
    user.client.comments.create({ params: { id }, body: { content: body, ...more } });
  const save = (markdown: string) => editor.client.sops.update({ params: { id: sop.id }, body: { markdown } });
  const publish = () => editor.client.sops.publish({ params: { id: sop.id }, body: {} });
  const notices = async (user: TestUser) => {
    const found = await server().db.collection("notifications").find({ companyId: company.id, userId: user.id });
    return found.map(({ kind, detail }) => [kind, detail["commentId"]]);
  };
  /** The quote that the user's screen takes from the page it shows. */
  const choose = async (user: TestUser, quote: string) => {
    const { content } = await user.client.sops.get({ params: { id: sop.id } });
    const { text: all, blocks } = createAnchorText(blocksOfHtml(content));
    const at = all.indexOf(quote);
    const block = blocks.findLast(({ start }) => start <= at);
    return { block: block?.key ?? "", quote, start: at - (block?.start ?? 0) };
  };

  describe("a thread", () => {
    test("is opened, answered, changed, resolved and opened again", async () => {
      const first = await say(viewer, "  Why\r\ntwice? ", { anchor: await choose(viewer, "green button") });
      expect(first).toMatchObject({
        sopId: sop.id,
        parentId: null,
        version: 1,
        audience: "readers",
        content: "Why\ntwice?",
        userId: viewer.id,
        isResolved: false,
        updatedAt: server().clock.now(),
        anchor: { quote: "green button", start: 10, end: 22, orphaned: false },
        author: { id: viewer.id, name: "Vera Viewer", initials: "VV" },
        mayEdit: true,
        mayRemove: true,
        mayResolve: true,
      });
      const reply = await say(editor, "It sticks.", { parentId: first.id });
      await expect(
        say(editor, "It sticks.", { parentId: first.id, anchor: await choose(editor, "green button") }),
      ).rejects.toMatchObject({ details: { anchor: "A reply has the words of its thread. Quote no others" } });
      expect(reply).toMatchObject({ parentId: first.id, audience: "readers", anchor: null, mayResolve: false });
      server().clock.advance(60_000);
      const params = { id: sop.id, commentId: first.id };
      const changed = await viewer.client.comments.update({ params, body: { content: "Why twice at all?" } });
      expect(changed).toMatchObject({
        content: "Why twice at all?",
        editedAt: server().clock.now(),
        updatedAt: server().clock.now(),
      });
      const resolved = await editor.client.comments.resolve({ params, body: { resolved: true } });
      expect(resolved).toMatchObject({
        isResolved: true,
        resolvedAt: server().clock.now(),
        resolvedBy: { name: "Edda Editor" },
      });
      expect((await list(viewer)).map(({ content, isResolved }) => [content, isResolved])).toEqual([
        ["Why twice at all?", true],
        ["It sticks.", false],
      ]);
      const open = await viewer.client.comments.resolve({ params, body: { resolved: false } });
      expect(open).toMatchObject({ isResolved: false, resolvedAt: null, resolvedBy: null });
      const log = await server()
        .db.collection("audit_logs")
        .find({ companyId: company.id, entityId: sop.id }, { sort: { _id: 1 } });
      expect(log.map(({ action }) => action).filter((action) => action.startsWith("sop.comment"))).toEqual([
        "sop.comment",
        "sop.comment",
        "sop.comment_edit",
        "sop.comment_resolve",
        "sop.comment_reopen",
      ]);
      // what changes nothing leaves nothing behind
      await viewer.client.comments.update({ params, body: { content: "Why twice at all?" } });
      await viewer.client.comments.resolve({ params, body: { resolved: false } });
      expect(await server().db.collection("audit_logs").countDocuments({ entityId: sop.id })).toBe(log.length);
    });

    test("has one level and a limited number of replies", async () => {
      const first = await say(viewer, "One");
      const reply = await say(editor, "Two", { parentId: first.id });
      const refusal = { status: 400, code: "invalid_input", details: { parentId: "This thread doesn't exist" } };
      await expect(say(viewer, "Three", { parentId: reply.id })).rejects.toMatchObject(refusal);
      const other = await editor.client.sops.create({ body: { ...document, status: "published" } });
      await expect(say(viewer, "Three", { parentId: first.id }, other.id)).rejects.toMatchObject(refusal);
      const copy = (await server().db.collection("comments").findOne({ _id: reply.id })) as CommentDocument;
      await server()
        .db.collection("comments")
        .insertMany(Array.from({ length: limits.comments - 2 }, (_, n) => ({ ...copy, _id: `${reply.id}-${n}` })));
      await expect(say(viewer, "One more")).rejects.toMatchObject({ status: 409, code: "conflict" });
    });

    test("keeps replies below a deleted comment, and goes with the last of them", async () => {
      const first = await say(viewer, "Secret? @nobody");
      const reply = await say(editor, "No.", { parentId: first.id });
      const remove = (user: TestUser, commentId: string) =>
        user.client.comments.remove({ params: { id: sop.id, commentId } });
      await remove(viewer, first.id);
      expect((await list(viewer))[0]).toMatchObject({
        id: first.id,
        content: "",
        removedAt: server().clock.now(),
        mayEdit: false,
        mayRemove: false,
      });
      await expect(remove(viewer, reply.id)).rejects.toMatchObject({ status: 403 });
      await remove(editor, reply.id);
      expect(await list(viewer)).toEqual([]);
      expect(await server().db.collection("comments").countDocuments({ companyId: company.id })).toBe(0);
      await expect(remove(editor, reply.id)).rejects.toMatchObject({ status: 404 });
    });

    test("refuses empty and too long comments, and changes to another person's comment", async () => {
      await expect(say(viewer, " \n ")).rejects.toMatchObject({
        status: 400,
        details: { content: "Write a comment first" },
      });
      await expect(say(viewer, "x".repeat(10_001))).rejects.toMatchObject({ status: 400 });
      const own = await say(viewer, "x".repeat(10_000));
      const params = { id: sop.id, commentId: own.id };
      await expect(editor.client.comments.update({ params, body: { content: "Mine" } })).rejects.toMatchObject({
        status: 403,
      });
      const other = await company.user("viewer");
      await expect(other.client.comments.resolve({ params, body: { resolved: true } })).rejects.toMatchObject({
        status: 403,
      });
      await expect(other.client.comments.remove({ params })).rejects.toMatchObject({ status: 403 });
      expect(await editor.client.comments.remove({ params })).toEqual({ ok: true });
    });

    test("keeps the name of a user who left, and is deleted with the SOP", async () => {
      await say(viewer, "I was here");
      await server()
        .db.collection("users")
        .updateOne({ _id: viewer.id }, { $set: { status: "deleted" } });
      expect((await list(editor))[0]).toMatchObject({ author: { name: "Vera Viewer" } });
      const admin = await company.user("admin");
      await admin.client.sops.remove({ params: { id: sop.id } });
      await expect(list(editor)).rejects.toMatchObject({ status: 404 });
      await admin.client.sops.undelete({ params: { id: sop.id } });
      expect(await list(editor)).toHaveLength(1);
    });

    test("gets one comment from a repeated request", async () => {
      const request = {
        method: "POST",
        path: `/api/sops/${sop.id}/comments`,
        headers: { ...json, "idempotency-key": "once" },
        body: JSON.stringify({ content: "Once" }),
      };
      const [one, two] = [await viewer.send(request), await viewer.send(request)];
      expect([one.status, two.status, two.body]).toEqual([201, 201, one.body]);
      expect(await list(viewer)).toHaveLength(1);
    });
  });

  describe("an anchor", () => {
    test("survives edits above it, for readers and editors separately", async () => {
      await say(viewer, "Why twice?", { anchor: await choose(viewer, "green button") });
      await save(`New first lines.\n\nAnd more of them.\n\n${text.replace("Press the", "Then press the")}`);
      expect((await list(viewer))[0]?.anchor).toMatchObject({ start: 10, end: 22, orphaned: false });
      expect((await list(editor))[0]?.anchor).toMatchObject({ start: 15, end: 27, orphaned: false });
      const content = (await editor.client.sops.get({ params: { id: sop.id } })).content;
      const block = createAnchorText(blocksOfHtml(content)).blocks.find(
        ({ length }) => length === "Then press the green button twice".length,
      );
      expect((await list(editor))[0]?.anchor?.block).toBe(block?.key);
    });

    test("keeps its quote without its words, and finds them again when they return", async () => {
      await say(viewer, "Why twice?", { anchor: await choose(viewer, "green button twice") });
      await save("Something else entirely.\n");
      expect((await list(editor))[0]?.anchor).toMatchObject({ quote: "green button twice", orphaned: true });
      expect((await list(viewer))[0]?.anchor).toMatchObject({ orphaned: false });
      await editor.client.sops.restore({ params: { id: sop.id, version: 1 }, body: {} });
      expect((await list(editor))[0]?.anchor).toMatchObject({ orphaned: false });
    });

    test("is refused for words that the version doesn't contain", async () => {
      const anchor = { block: "", quote: "red button" };
      await expect(say(viewer, "?", { anchor })).rejects.toMatchObject({ status: 400, code: "invalid_input" });
      // a reader can't guess the words of a draft
      await save(`${text}\nred button\n`);
      await expect(say(viewer, "?", { anchor, version: 2 })).rejects.toMatchObject({ status: 400 });
      expect(await say(editor, "?", { anchor })).toMatchObject({ version: 2, audience: "head" });
    });
  });

  describe("mentions", () => {
    test("reach only people who see the SOP, each once", async () => {
      const outsider = await (await server().company()).user("viewer");
      const other = await company.user("viewer", { name: "Otto Other" });
      const gone = await company.user("viewer");
      await server()
        .db.collection("users")
        .updateOne({ _id: gone.id }, { $set: { status: "suspended" } });
      const names = [other, other, editor, outsider, gone, viewer].map(({ username }) => `@${username}`).join(" ");
      const made = await say(viewer, `${names} @unknown-one: see.`);
      expect(made.mentions.map(({ id }) => id)).toEqual([other.id, editor.id, viewer.id]);
      expect(await notices(other)).toEqual([["mention", made.id]]);
      // the owner gets the notice of the mention, not two
      expect(await notices(editor)).toEqual([["mention", made.id]]);
      expect(await notices(viewer)).toEqual([]);
      expect(await server().db.collection("notifications").countDocuments({ userId: outsider.id })).toBe(0);
      expect(await notices(gone)).toEqual([]);
      // a person named in an edit gets a notice then, and earlier ones get no second notice
      const third = await company.user("viewer");
      const params = { id: sop.id, commentId: made.id };
      const body = `${names} and @${third.username}.`;
      expect((await viewer.client.comments.update({ params, body: { content: body } })).mentions).toHaveLength(4);
      expect([await notices(third), await notices(other)]).toEqual([[["mention", made.id]], [["mention", made.id]]]);
    });

    test("on a draft reach only people who see it, and give no one access", async () => {
      await save("Changed.\n");
      const made = await say(editor, `@${viewer.username} look`);
      expect(made).toMatchObject({ audience: "head", mentions: [] });
      expect(await notices(viewer)).toEqual([]);
      const reviewer = await company.user("viewer");
      await editor.client.sops.grant({ params: { id: sop.id }, body: { userId: reviewer.id, permission: "comment" } });
      expect((await say(editor, `@${reviewer.username} look`)).mentions).toHaveLength(1);
    });

    test("suggest only people who see the SOP", async () => {
      const people = () => editor.client.comments.people({ params: { id: sop.id } });
      expect((await people()).map(({ username }) => username)).toEqual([viewer.username]);
      await save("Changed.\n");
      expect(await people()).toEqual([]);
      await expect(viewer.client.comments.people({ params: { id: sop.id } })).resolves.toEqual([
        expect.objectContaining({ id: editor.id, name: "Edda Editor", username: editor.username }),
      ]);
    });

    test("of people with access to a restricted SOP show only to those who share it", async () => {
      const [one, two] = [await company.user("viewer"), await company.user("viewer")];
      const admin = await company.user("company_admin");
      await admin.client.sops.restrict({ params: { id: sop.id }, body: { restricted: true } });
      for (const { id } of [one, two])
        await editor.client.sops.grant({ params: { id: sop.id }, body: { userId: id, permission: "comment" } });
      const ids = async (user: TestUser) =>
        (await user.client.comments.people({ params: { id: sop.id } })).map(({ id }) => id).toSorted();
      expect(await ids(one)).toEqual([editor.id]);
      expect(await ids(editor)).toEqual([one.id, two.id, admin.id].toSorted());
      await expect(list(viewer)).rejects.toMatchObject({ status: 404 });
      const event = (await say(one, "Hello")) && (await lastEvent());
      expect(event).toMatchObject({ resources: ["comments"], about: [{ id: sop.id, readersSee: true }] });
    });
  });

  const lastEvent = async () => {
    const events = await server()
      .db.collection("events")
      .find({ companyId: company.id }, { sort: { seq: -1 } });
    return events.find(({ resources }) => resources.includes("comments"));
  };

  test("notify the SOP's people and the thread's people, once", async () => {
    const [one, two] = [await company.user("viewer"), await company.user("viewer")];
    const first = await say(one, "First");
    const reply = await say(two, "Reply", { parentId: first.id });
    const last = await say(one, "Thanks", { parentId: first.id });
    expect(await notices(editor)).toEqual([first, reply, last].map(({ id }) => ["comment", id]));
    expect(await notices(one)).toEqual([["comment", reply.id]]);
    expect(await notices(two)).toEqual([["comment", last.id]]);
    expect(await notices(viewer)).toEqual([]);
  });

  test("notify by the commented version, regardless of later changes", async () => {
    await save("Draft words.\n");
    expect(await say(editor, "On the draft")).toMatchObject({ version: 2, audience: "head" });
    expect(await say(editor, "On what is in force", { version: 1 })).toMatchObject({ version: 1, audience: "readers" });
    await publish();
    expect(await say(editor, "Written before", { version: 1 })).toMatchObject({ version: 1, audience: "head" });
    expect(await say(viewer, "Reader", { version: 1 })).toMatchObject({ version: 2, audience: "readers" });
    await expect(say(editor, "?", { version: 3 })).rejects.toMatchObject({ status: 400 });
    await save("Later words.\n");
    const stale = viewer.client.comments.create({ params: { id: sop.id }, body: { content: "?" }, ifMatch: 3 });
    await expect(stale).rejects.toMatchObject({ status: 412, details: { version: 2 } });
    expect((await list(viewer)).map(({ content: body }) => body)).toEqual(["On what is in force", "Reader"]);
  });

  test("on a draft are hidden from all roles that don't see the draft", async () => {
    await say(editor, "For everybody");
    await save("Changed.\n");
    const thread = await say(editor, "Draft secret");
    const reply = await say(editor, "Reply secret", { parentId: thread.id });
    expect(await lastEvent()).toMatchObject({ about: [{ id: sop.id, readersSee: false }] });
    const draftOnly = await editor.client.sops.create({ body: document });
    const hidden = await say(editor, "Hidden secret", {}, draftOnly.id);
    const stored = (await server().db.collection("sops").findOne({ _id: sop.id })) as SopDocument;
    const company_ = await server().db.collection("companies").findOne({ _id: company.id });
    if (!company_) throw new Error("the company is there");
    const seen: Record<string, string[]> = {};
    for (const role of roles) {
      const user = await company.user(role);
      const document_ = await server().db.collection("users").findOne({ _id: user.id });
      if (!document_) throw new Error("the user is there");
      const view = visibleVersion(actorOf(document_, company_, server().clock.now()), stored);
      const shown = await list(user);
      seen[role] = shown.map(({ content: body }) => body);
      expect(shown).toHaveLength(view === "latest" ? 3 : 1);
      const paths = { id: sop.id, commentId: thread.id };
      if (view === "latest") continue;
      const unknown = { id: sop.id, commentId: "01970000-0000-7000-8000-000000000000" };
      for (const commentId of [thread.id, reply.id]) {
        for (const [method, end, body] of [
          ["PUT", "", { content: "Mine" }],
          ["DELETE", "", undefined],
          ["POST", "/resolve", { resolved: true }],
        ] as const) {
          const ask = (id: string) =>
            user.send({
              method,
              path: `/api/sops/${sop.id}/comments/${id}${end}`,
              headers: json,
              body: JSON.stringify(body ?? {}),
            });
          const [theirs, nobodys] = [await ask(commentId), await ask(unknown.commentId)];
          expect([theirs.status, theirs.body]).toEqual([404, nobodys.body]);
        }
      }
      const answer = (parentId: string) =>
        user.send({
          method: "POST",
          path: `/api/sops/${sop.id}/comments`,
          headers: json,
          body: JSON.stringify({ content: "Me too", parentId }),
        });
      expect((await answer(paths.commentId)).body).toBe((await answer(unknown.commentId)).body);
      await expect(list(user, draftOnly.id)).rejects.toMatchObject({ status: 404 });
      expect(await notices(user)).toEqual([]);
    }
    expect(seen).toMatchObject({
      system_admin: ["For everybody", "Draft secret", "Reply secret"],
      editor: ["For everybody", "Draft secret", "Reply secret"],
      reviewer: ["For everybody"],
      contributor: ["For everybody"],
      viewer: ["For everybody"],
    });
    // published now, but comments on the draft stay among the people who worked on it
    await publish();
    expect((await list(viewer)).map(({ content: body }) => body)).toEqual(["For everybody"]);
    expect(hidden.audience).toBe("head");
  });

  test("are read-only for people without permission to comment", async () => {
    const own = await say(viewer, "Before");
    const admin = await company.user("company_admin");
    await admin.client.companyPermissions.set({
      params: { id: viewer.id },
      body: { permission: "sop.comment", granted: false },
    });
    await expect(say(viewer, "After")).rejects.toMatchObject({ status: 403 });
    await expect(viewer.client.comments.people({ params: { id: sop.id } })).rejects.toMatchObject({ status: 403 });
    expect((await list(viewer))[0]).toMatchObject({ id: own.id, mayEdit: false, mayResolve: false, mayRemove: true });
  });

  test("keep all replies when two people write while one deletes", async () => {
    const first = await say(viewer, "First");
    const reply = (n: number) => say(n % 2 ? viewer : editor, `Reply ${n}`, { parentId: first.id });
    const [, ...replies] = await Promise.all([
      viewer.client.comments.remove({ params: { id: sop.id, commentId: first.id } }),
      ...Array.from({ length: 6 }, (_, n) => reply(n).catch((error: { status: number }) => error.status)),
    ]);
    const shown = await list(editor);
    const written = replies.filter((one) => typeof one !== "number").length;
    expect(shown.filter(({ parentId }) => parentId === first.id)).toHaveLength(written);
    expect(shown.some(({ id }) => id === first.id)).toBe(written > 0);
  });
});
