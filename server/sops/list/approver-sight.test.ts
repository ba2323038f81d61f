/** A named approver sees the submitted version and the published one, but no earlier draft. */
import { createHash, randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { closeStreams, openEventStream } from "../../../test/event-stream.ts";
import { describeServer, type TestUser } from "../../../test/server.ts";
import { pngOf } from "../../../test/images.ts";

const pixel = (value: number) => pngOf(String(value));

describeServer("a named approver", (server) => {
  async function upload(user: TestUser, value: number): Promise<string> {
    const headers = { "content-type": "image/png" };
    const answer = await user.send({ method: "POST", path: "/api/assets", headers, body: pixel(value) });
    return (answer.json() as { sha256: string }).sha256;
  }

  /** v1 is published, v2 is a draft with a secret that was submitted once, v3 is submitted now. */
  async function story() {
    const company = await server().company();
    await company.letApprove("viewer");
    const [boss, editor, approver, other] = [
      await company.user("manager"),
      await company.user("editor"),
      await company.user("viewer"),
      await company.user("viewer"),
    ];
    const body = { title: "Open", description: "D", markdown: "One\n", status: "published" } as const;
    const { id } = await boss.client.sops.create({ body });
    const params = { id };
    const secret = await upload(editor, 1);
    const update = (markdown: string, changeNote: string) =>
      editor.client.sops.update({ params, body: { markdown, changeNote } });
    await update(`Zanzibar ![The press](/api/assets/${secret}.png)\n`, "zanzibar");
    const first = { approverIds: [other.id], requestNote: "zanzibar?" };
    const asked = await editor.client.sops.requestApproval({ params, body: first });
    await other.client.approvals.reject({ params: { id: asked.id }, body: { comment: "no zanzibar" } });
    const open = await upload(editor, 2);
    await update(`Three ![The press](/api/assets/${open}.png)\n`, "three");
    const request = await editor.client.sops.requestApproval({ params, body: { approverIds: [approver.id] } });
    return { id, boss, editor, approver, other, request, secret, open };
  }

  test("gets no address made of an earlier title", async () => {
    const company = await server().company();
    await company.letApprove("viewer");
    const [boss, approver] = [await company.user("manager"), await company.user("viewer")];
    const { id } = await boss.client.sops.create({ body: { title: "Zanzibar", description: "D", markdown: "One" } });
    const params = { id };
    await boss.client.sops.update({ params, body: { title: "Reorganise" } });
    await boss.client.sops.requestApproval({ params, body: { approverIds: [approver.id] } });
    expect((await boss.client.sops.get({ params })).slug).toBe("zanzibar");
    expect((await approver.client.sops.get({ params })).slug).toBe("reorganise");
    const { data } = await approver.client.sops.list();
    expect(data.map(({ slug }) => slug)).toEqual(["reorganise"]);
  });

  test("reads only the submitted and the published version, by any route", async () => {
    const { id, boss, approver, request, secret, open } = await story();
    const at = `/api/sops/${id}`;
    const reads = async (user: TestUser, path: string) => {
      const { status, body } = await user.send({ path });
      if (user === approver) expect([path, body.toLowerCase().includes("zanzibar")]).toEqual([path, false]);
      return status;
    };
    const seen = [
      at,
      `${at}/versions`,
      `${at}/versions/1`,
      `${at}/versions/3`,
      `${at}/diff`,
      `${at}/diff?from=1&to=3`,
      `${at}/export`,
      `${at}/export?version=1`,
      `${at}/in-force`,
      `${at}/comments`,
      `/api/assets/${open}`,
      `/api/approvals?sopId=${id}`,
      "/api/approvals",
      "/api/approvals?status=rejected",
    ];
    const hidden = [
      `${at}/versions/2`,
      `${at}/diff?from=2&to=3`,
      `${at}/diff?from=1&to=2`,
      `${at}/export?version=2`,
      ...["json", "html", "pdf", "docx"].map((format) => `${at}/export?format=${format}&version=2`),
      `/api/assets/${secret}`,
    ];
    for (const path of seen) expect([path, await reads(approver, path)]).toEqual([path, 200]);
    for (const path of hidden) {
      expect([path, await reads(approver, path)]).toEqual([path, 404]);
      expect([path, await reads(boss, path)]).toEqual([path, 200]);
    }
    const versions = await approver.client.sops.versions({ params: { id } });
    expect(versions.map(({ version, isCurrent, isInForce }) => [version, isCurrent, isInForce])).toEqual([
      [3, true, false],
      [1, false, true],
    ]);
    const requests = await approver.client.approvals.list({ query: { sopId: id } });
    expect(requests.map((one) => one.id)).toEqual([request.id]);
    expect(await boss.client.approvals.list({ query: { sopId: id } })).toHaveLength(2);
    expect(await approver.client.sops.diff({ params: { id } })).toMatchObject({ from: 1, to: 3 });
  });

  test("still sees all drafts if their role does", async () => {
    const { id, boss, editor } = await story();
    const params = { id };
    const [request] = await editor.client.approvals.list({ query: { sopId: id, status: "pending" } });
    await editor.client.approvals.withdraw({ params: { id: request?.id ?? "" } });
    await editor.client.sops.requestApproval({ params, body: { approverIds: [boss.id] } });
    expect((await boss.client.sops.versions({ params })).map(({ version }) => version)).toEqual([3, 2, 1]);
    expect(await boss.client.approvals.list({ query: { sopId: id } })).toHaveLength(3);
  });

  test("reads and answers comments on these versions, not on an earlier draft", async () => {
    const company = await server().company();
    await company.letApprove("viewer");
    const [boss, editor, approver] = [
      await company.user("manager"),
      await company.user("editor"),
      await company.user("viewer"),
    ];
    const { id } = await boss.client.sops.create({
      body: { title: "T", description: "D", markdown: "One is public.\n" },
    });
    const params = { id };
    await boss.client.sops.publish({ params });
    const say = async (user: TestUser, body: string, more: object = {}) =>
      (await user.client.comments.create({ params, body: { content: body, ...more } })).id;
    const onOne = await say(boss, "about one", { version: 1 });
    await editor.client.sops.update({ params, body: { markdown: "Two is Zanzibar.\n" } });
    const onTwo = await say(editor, "about zanzibar");
    await editor.client.sops.update({ params, body: { markdown: "Three is shown.\n" } });
    const reply = await say(boss, "a reply about zanzibar", { parentId: onTwo });
    const onThree = await say(editor, "about three");
    await editor.client.sops.requestApproval({ params, body: { approverIds: [approver.id] } });

    const seen = async (user: TestUser) => (await user.client.comments.list({ params })).map((comment) => comment.id);
    expect(await seen(boss)).toEqual([onOne, onTwo, reply, onThree]);
    expect(await seen(approver)).toEqual([onOne, onThree]);
    const answer = await say(approver, "an answer", { parentId: onThree });
    expect(await seen(approver)).toEqual([onOne, onThree, answer]);
    await expect(say(approver, "an answer", { parentId: onTwo })).rejects.toMatchObject({ status: 400 });
    for (const commentId of [onTwo, reply]) {
      const change = { params: { id, commentId }, body: { content: "mine" } };
      await expect(approver.client.comments.update(change)).rejects.toMatchObject({ status: 404 });
      await expect(
        approver.client.comments.resolve({ params: { id, commentId }, body: { resolved: true } }),
      ).rejects.toMatchObject({ status: 404 });
    }
    // the approver gets no notice of it either, and can't be mentioned in it
    const news = async () =>
      (await server().db.collection("notifications").find({ userId: approver.id })).map(({ kind }) => kind);
    const before = await news();
    const streams = await Promise.all([boss, approver].map((user) => openEventStream(server(), user)));
    const named = await editor.client.comments.create({
      params,
      body: { parentId: onTwo, content: `@${approver.username} zanzibar` },
    });
    expect([named.mentions, await news()]).toEqual([[], before]);
    await editor.client.comments.remove({ params: { id, commentId: named.id } });
    await boss.client.categories.create({ body: { name: "The end" } });
    const heard = streams.map(async (stream) => {
      await vi.waitFor(() => expect(stream.text()).toContain('"categories"'));
      return [...stream.text().matchAll(/"comments"/g)].length;
    });
    expect(await Promise.all(heard)).toEqual([2, 0]);
    closeStreams();
    // an approver's comment belongs to the submitted version
    await expect(say(approver, "of another", { version: 2 })).rejects.toMatchObject({ status: 400 });
    expect(await seen(boss)).toEqual([onOne, onTwo, reply, onThree, answer]);
  });

  test("reads only the submitted version of an SOP that was never published", async () => {
    const company = await server().company();
    await company.letApprove("viewer");
    const [editor, approver] = [await company.user("editor"), await company.user("viewer")];
    const { id } = await editor.client.sops.create({ body: { title: "T", description: "D", markdown: "Zanzibar\n" } });
    const params = { id };
    await editor.client.sops.update({ params, body: { markdown: "Two\n" } });
    await editor.client.sops.requestApproval({ params, body: { approverIds: [approver.id] } });
    expect((await approver.client.sops.versions({ params })).map(({ version }) => version)).toEqual([2]);
    expect(await approver.client.sops.diff({ params })).toMatchObject({ from: 2, to: 2 });
    expect(await editor.client.sops.diff({ params })).toMatchObject({ from: 1, to: 2 });
  });

  test("can't use an import to find the text of an earlier draft", async () => {
    const company = await server().company();
    await company.letApprove("contributor");
    const [boss, approver] = [await company.user("manager"), await company.user("contributor")];
    const text = "---\ntitle: Fire\ndescription: D\n---\n\nZanzibar.\n";
    const documents = [{ path: "fire.md", text, sha256: createHash("sha256").update(text).digest("hex") }];
    const [made] = (await boss.client.sops.import({ body: { importId: randomUUID(), documents } })).results;
    const params = { id: made?.id ?? "" };
    await boss.client.sops.update({ params, body: { markdown: "Three.\n" } });
    await boss.client.sops.requestApproval({ params, body: { approverIds: [approver.id] } });
    expect(await approver.client.sops.get({ params })).toMatchObject({ version: 2 });
    const guess = async (path: string, more: string, word = "Zanzibar") => {
      const guessed = text.replace("---\n\n", `${more}---\n\n`).replace("Zanzibar", word);
      const sha256 = createHash("sha256").update(guessed).digest("hex");
      const body = { importId: randomUUID(), dryRun: true, documents: [{ path, text: guessed, sha256 }] };
      const [result] = (await approver.client.sops.import({ body })).results;
      return [result?.outcome, result?.reason];
    };
    // the very file, as one that is known by its bytes: a right guess gets the same answer as a wrong one
    expect(await guess("mine.md", "")).toEqual(await guess("mine.md", "", "Balloons"));
    // and as one that names its SOP
    const named = (version: number) => `id: ${params.id}\nversion: ${version}\n`;
    const right = await guess("fire2.md", named(1));
    expect(right).toEqual(await guess("fire2.md", `${named(1)}tags: [other]\n`));
  });
});
