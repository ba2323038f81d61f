/** What a push can't make a draft of waits as a proposal, for those who can edit the SOP, and becomes a draft by them. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { printedName } from "#core/users/printed-name.ts";
import { closeStreams, openEventStream } from "../../test/event-stream.ts";
import { git, gitFolder } from "../../test/git.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { pngOf } from "../../test/images.ts";
import { propose } from "../../test/propose.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";
import { removeUnlinkedAssets } from "../assets/unlinked.ts";

describeServer("proposals", (server) => {
  let dir = "";
  let remove = () => {};
  beforeEach(() => ({ dir, remove } = gitFolder()));
  afterEach(() => {
    closeStreams();
    remove();
  });

  const { publish, clone, write, edit, commit, push } = gitWriter(server, () => dir);
  const rinse = "sops/uncategorized/sop-0001-rinse-the-mill.md";
  const listOf = async (user: TestUser, query = {}) =>
    (await user.client.proposals.list({ query })).data.map(({ number, state }) => `${number} ${state}`);
  const one = (user: TestUser, number = 1) => user.client.proposals.get({ params: { id: String(number) } });
  const accept = (user: TestUser, number = 1) => user.client.proposals.accept({ params: { id: String(number) } });
  const dismiss = (user: TestUser, number = 1, reason = "Not now") =>
    user.client.proposals.dismiss({ params: { id: String(number) }, body: { reason } });
  const toldOf = async (user: TestUser) =>
    (await user.client.notifications.list({ query: {} })).data
      .filter(({ kind }) => kind.startsWith("proposal_"))
      .map(({ text, link }) => `${text} ${link}`);
  const audited = async (company: Company) =>
    (await server().db.forCompany(company.id).collection("audit_logs").find({ entityType: "proposal" }))
      .map(({ action, userName, changes }) => ({ action, userName, ...changes }))
      // the test's clock doesn't move
      .sort((a, b) => (a.action < b.action ? -1 : 1));

  /** A published SOP that a manager changed after an editor cloned it, and the editor's change to it. */
  async function conflict(text = "Rinse it.\n\nDry it.\n") {
    const company = await server().company();
    const owner = await company.user("manager", { name: "Ada" });
    const editor = await company.user("editor", { name: "Bob" });
    const id = await publish(owner, "Rinse the mill", text);
    const at = await clone(company, editor);
    await owner.client.sops.update({ params: { id }, body: { markdown: text.replace("Dry it.", "Dry it well.") } });
    edit(at, rinse, "Rinse it.", "Rinse it twice.");
    edit(at, rinse, 'title: "Rinse the mill"', 'title: "Rinse the old mill"');
    await commit(at, "Rinse twice");
    const pushed = await push(at);
    expect(pushed.remote[0]).toBe(
      `${rinse}: conflict, proposal 1. The SOP is at version 2, the file is based on version 1`,
    );
    return { company, owner, editor, id, at, pushed };
  }

  test("keeps what is in conflict with all three texts, and merges it", async () => {
    const { company, owner, editor, id } = await conflict();
    expect([await listOf(owner), await listOf(editor)]).toEqual([["1 open"], ["1 open"]]);
    expect([(await owner.client.stats.get()).proposals, (await editor.client.stats.get()).proposals]).toEqual([1, 1]);
    expect(await toldOf(owner)).toEqual([
      `Bob (${editor.username}) proposes a change to SOP-0001 Rinse the mill /proposals/1`,
    ]);
    const found = await one(owner);
    expect(found).toMatchObject({
      number: 1,
      state: "open",
      source: "push",
      sop: { id, number: "SOP-0001", title: "Rinse the mill", version: 2 },
      isNew: false,
      title: "Rinse the old mill",
      path: rinse,
      baseVersion: 1,
      comment: "Rinse twice",
      author: { id: editor.id, name: "Bob" },
      mayDecide: true,
      isCurrent: false,
      base: { version: 1, markdown: "Rinse it.\n\nDry it.\n" },
      current: { version: 2, markdown: "Rinse it.\n\nDry it well.\n" },
      proposed: { markdown: "Rinse it twice.\n\nDry it.\n" },
      fields: [
        {
          key: "title",
          base: "Rinse the mill",
          current: "Rinse the mill",
          proposed: "Rinse the old mill",
          by: "proposed",
        },
      ],
    });
    expect(found.text).toContain(`id: "${id}"\nversion: 1\n`);

    await expect(accept(owner)).rejects.toMatchObject({ code: "conflict" });
    const merge = (version: number, fields = ["title"]) =>
      owner.client.proposals.merge({
        params: { id: "1" },
        body: { markdown: "Rinse it twice.\n\nDry it well.\n", version, fields },
      });
    await expect(merge(1)).rejects.toMatchObject({ code: "stale" });
    for (const field of ["id", "version", "owner"])
      await expect(merge(2, ["title", field])).rejects.toMatchObject({
        code: "invalid_input",
        details: { fields: `The proposal doesn't change ${field}` },
      });
    expect(await merge(2)).toMatchObject({ state: "merged", version: 3, decidedBy: { name: "Ada" }, mayDecide: false });
    const sop = await editor.client.sops.get({ params: { id } });
    expect([sop.version, sop.title, sop.markdown, sop.author?.name]).toEqual([
      3,
      "Rinse the old mill",
      "Rinse it twice.\n\nDry it well.\n",
      "Ada",
    ]);
    const stored = await server()
      .db.forCompany(company.id)
      .collection("sop_versions")
      .findOne({ sopId: id, version: 3 });
    expect(stored?.changeNote).toBe(`Rinse twice\n\nProposal 1 by ${printedName(editor)}`);
    expect(await toldOf(editor)).toEqual([
      `Ada (${owner.username}) merged your change to SOP-0001 Rinse the old mill /proposals/1`,
    ]);
    expect([await listOf(owner), await listOf(editor, { mine: "true", state: "all" })]).toEqual([[], ["1 merged"]]);
    expect((await editor.client.stats.get()).proposals).toBe(0);
    for (const again of [accept, () => merge(3), dismiss]) {
      await expect(again(owner)).rejects.toMatchObject({ code: "conflict" });
    }
    const common = { proposal: 1, sopId: id };
    expect(await audited(company)).toEqual([
      {
        action: "proposal.create",
        userName: printedName(editor),
        ...common,
        path: rinse,
        baseVersion: 1,
        source: "push",
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
      { action: "proposal.merge", userName: printedName(owner), ...common, version: 3 },
    ]);
  });

  test("lets contributors propose what they can't change, and a further push goes on top of what was accepted", async () => {
    const company = await server().company();
    const owner = await company.user("manager", { name: "Ada" });
    const contributor = await company.user("contributor", { name: "Cleo" });
    const stranger = await company.user("contributor");
    const id = await publish(owner, "Rinse the mill", "Rinse it.\n");
    const streams = await Promise.all([owner, contributor, stranger].map((user) => openEventStream(server(), user)));
    const at = await clone(company, contributor);
    edit(at, rinse, "Rinse it.", "Rinse it twice.");
    await commit(at);
    expect((await push(at)).remote).toEqual([
      `${rinse}: proposal 1 to change SOP-0001`,
      `  ${server().url}/proposals/1`,
      "Proposals wait for a decision. Nothing was overwritten.",
    ]);
    expect((await push(at)).remote[0]).toBe(`${rinse}: unchanged since proposal 1`);
    expect([await listOf(owner), await listOf(contributor), await listOf(stranger)]).toEqual([
      ["1 open"],
      ["1 open"],
      [],
    ]);
    await expect(one(stranger)).rejects.toMatchObject({ code: "not_found" });
    await expect(accept(contributor)).rejects.toMatchObject({ code: "forbidden" });
    expect(await one(contributor)).toMatchObject({ mayDecide: false, mayDismiss: true, isCurrent: true });

    expect(await accept(owner)).toMatchObject({ state: "accepted", version: 2 });
    const sop = await owner.client.sops.get({ params: { id } });
    expect([sop.version, sop.status, sop.markdown]).toEqual([2, "draft", "Rinse it twice.\n"]);
    // the contributor reads the published version alone
    expect(await one(contributor)).toMatchObject({ current: { version: 1 }, sop: { version: 1 }, version: 2 });

    edit(at, rinse, "twice", "three times");
    await commit(at);
    expect((await push(at)).remote[0]).toBe(`${rinse}: proposal 2 to change SOP-0001`);
    expect(await one(owner, 2)).toMatchObject({ baseVersion: 2, isCurrent: true });
    edit(at, rinse, "three", "four");
    await commit(at);
    expect((await push(at)).remote[0]).toBe(`${rinse}: proposal 3 to change SOP-0001`);
    expect(await listOf(contributor, { state: "all" })).toEqual(["3 open", "2 superseded", "1 accepted"]);
    expect(await one(contributor, 2)).toMatchObject({ supersededBy: 3 });
    expect(await dismiss(contributor, 3, "Not needed")).toMatchObject({ state: "dismissed", reason: "Not needed" });
    expect(await toldOf(contributor)).toEqual([
      `Ada (${owner.username}) accepted your change to SOP-0001 Rinse the mill /proposals/1`,
    ]);

    const shown = await publish(owner, "Oil the mill", "Oil it.\n");
    const heard = await Promise.all(
      streams.map(async (stream) => {
        await vi.waitFor(() => expect(stream.text()).toContain(shown));
        return [...stream.text().matchAll(/"proposals"/g)].length;
      }),
    );
    // created, accepted, two more created, and the last dismissed
    expect(heard).toEqual([5, 5, 0]);
  });

  test("a later push that becomes a draft settles the proposal", async () => {
    const { company, editor, at } = await conflict();
    await git(at, "fetch", "-q", "origin");
    await git(at, "checkout", "-q", "origin/history");
    edit(at, rinse, "Rinse it.", "Rinse it twice.");
    await commit(at);
    expect((await push(at)).remote[0]).toBe(`${rinse}: draft v3 on top of v2 of SOP-0001`);
    expect(await one(editor)).toMatchObject({ state: "superseded", supersededBy: null });
    expect((await audited(company)).map(({ action }) => action)).toEqual(["proposal.create", "proposal.supersede"]);
  });

  test("decides once, however many decide at the same time", async () => {
    const { owner, editor, id } = await conflict();
    const body = { markdown: "Rinse it twice.\n\nDry it well.\n", version: 2, fields: [] };
    const params = { id: "1" };
    const tries = await Promise.allSettled([
      owner.client.proposals.merge({ params, body }),
      editor.client.proposals.merge({ params, body: { ...body, markdown: "Rinse it.\n" } }),
      dismiss(owner),
      dismiss(editor),
    ]);
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { state } = await one(owner);
    const { version } = await owner.client.sops.get({ params: { id } });
    expect([state, version]).toEqual([state, state === "merged" ? 3 : 2]);
    expect(await toldOf(editor)).toHaveLength((await one(owner)).decidedBy?.name === "Bob" ? 0 : 1);
  });

  test("shows nothing of an SOP that its reader can't see anymore, and the own text to its author", async () => {
    const { company, owner, editor, id } = await conflict();
    const admin = await company.user("company_admin");
    const other = await company.user("editor");
    expect(await listOf(other)).toEqual(["1 open"]);
    await owner.client.sops.update({ params: { id }, body: { title: "Sell the mill", markdown: "Sell it.\n" } });
    await admin.client.sops.restrict({ params: { id }, body: { restricted: true } });
    expect([await listOf(other), (await other.client.stats.get()).proposals]).toEqual([[], 0]);
    await expect(one(other)).rejects.toMatchObject({ code: "not_found" });
    await expect(dismiss(other)).rejects.toMatchObject({ code: "not_found" });
    expect(await one(editor)).toMatchObject({
      sop: null,
      isNew: false,
      base: null,
      current: null,
      fields: [],
      proposed: { markdown: "Rinse it twice.\n\nDry it.\n" },
      mayDecide: false,
      mayDismiss: true,
    });
    await expect(accept(editor)).rejects.toMatchObject({ code: "forbidden" });
    expect(JSON.stringify([await one(editor), await toldOf(editor)])).not.toMatch(/sell/i);
    await owner.client.sops.remove({ params: { id } }).catch(() => admin.client.sops.remove({ params: { id } }));
    expect(await listOf(admin)).toEqual([]);
    await expect(dismiss(admin)).rejects.toMatchObject({ code: "not_found" });
    expect(await dismiss(editor)).toMatchObject({ state: "dismissed", sop: null });
  });

  test("keeps the images of a proposal, and shows them to those who decide alone", async () => {
    const company = await server().company();
    const owner = await company.user("manager");
    const contributor = await company.user("contributor");
    const viewer = await company.user("viewer");
    const id = await publish(owner, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, contributor);
    write(at, "sops/uncategorized/images/mill.png", pngOf("mill"));
    edit(at, rinse, "Rinse it.", "Rinse it: ![mill](images/mill.png)");
    await commit(at);
    await push(at);
    const [, url = ""] = /\((\/api\/assets\/[^)]+)\)/.exec((await one(owner)).proposed.markdown) ?? [];
    const statusOf = async (user: TestUser) => (await user.send({ path: url })).status;
    expect([await statusOf(owner), await statusOf(contributor), await statusOf(viewer)]).toEqual([200, 200, 404]);
    server().clock.advance(3 * 24 * 3_600_000);
    await removeUnlinkedAssets(server().db, server().running.services.blobs, server().clock);
    expect(await statusOf(owner)).toBe(200);
    await accept(owner);
    expect((await owner.client.sops.get({ params: { id } })).markdown).toContain(url);
  });

  test("accepts a new SOP that resembles another one", async () => {
    const company = await server().company();
    const [owner, contributor] = [await company.user("manager"), await company.user("contributor")];
    const text = "Rinse it.\n\nDry it.\n";
    await propose(server().running.services, contributor, { title: "Rinse the mill", markdown: text });
    await publish(owner, "Rinse the mill", text.replace("Dry it.", "Dry it well."));
    expect(await accept(owner)).toMatchObject({ state: "accepted", version: 1, sop: { number: "SOP-0002" } });
  });

  test("bounds the open proposals of one user", async () => {
    const company = await server().company();
    const [owner, contributor] = [await company.user("manager"), await company.user("contributor")];
    await publish(owner, "Rinse the mill", "Rinse it.\n");
    const proposals = server().db.forCompany(company.id).collection("proposals");
    const at = await clone(company, contributor);
    edit(at, rinse, "Rinse it.", "Rinse it twice.");
    await commit(at);
    await push(at);
    const [first] = await proposals.find({});
    if (!first) throw new Error("one was pushed");
    const more = Array.from({ length: 199 }, (_, index) => ({
      ...first,
      _id: `${first._id.slice(0, -4)}${String(index).padStart(4, "0")}`,
      number: index + 2,
      sopId: `${first._id.slice(0, -4)}${String(index).padStart(4, "0")}`,
    }));
    await proposals.insertMany(more);
    edit(at, rinse, "twice", "three times");
    await commit(at);
    const { code, remote } = await push(at);
    expect([code, remote]).toEqual([
      1,
      [`${rinse}: refused. Too many proposals are open. Decide about some of them first`],
    ]);
    expect(await one(owner)).toMatchObject({ state: "open" });
  });
});
