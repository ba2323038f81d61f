/** A file that a push deletes asks to archive its SOP; someone who can archive it decides. */
import { rmSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { git, gitFolder } from "../../test/git.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { afterMail, mailsTo, setEmail } from "../../test/notices.ts";
import { digestWindowMs } from "../notifications/digest.ts";
import { describeServer, type TestUser } from "../../test/server.ts";

describeServer("proposals to archive", (server) => {
  let dir = "";
  let remove = () => {};
  beforeEach(() => ({ dir, remove } = gitFolder()));
  afterEach(() => remove());

  const { publish, clone, commit, push } = gitWriter(server, () => dir);
  const rinse = "sops/uncategorized/sop-0001-rinse-the-mill.md";
  const params = { id: "1" };
  const toldOf = async (user: TestUser) =>
    (await user.client.notifications.list({ query: {} })).data
      .filter(({ kind }) => kind.startsWith("proposal_"))
      .map(({ text, link }) => `${text} ${link}`);

  /** A published SOP whose file an editor deleted. */
  async function deleted() {
    const company = await server().company();
    const owner = await company.user("manager", { name: "Ada" });
    const editor = await company.user("editor", { name: "Bob" });
    const id = await publish(owner, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, editor);
    rmSync(path.join(at, rinse));
    await commit(at, "The mill is gone");
    const pushed = await push(at);
    const statusOf = async () => (await owner.client.sops.get({ params: { id } })).status;
    return { company, owner, editor, id, at, pushed, statusOf };
  }

  test("come from deleted files, and archive the SOP once they are accepted", async () => {
    const { company, owner, editor, id, at, pushed, statusOf } = await deleted();
    expect([pushed.code, pushed.remote]).toEqual([
      0,
      [
        `${rinse}: proposal 1 to archive SOP-0001`,
        `  ${server().url}/proposals/1`,
        "Proposals wait for a decision. Nothing was overwritten.",
      ],
    ]);
    expect(await statusOf()).toBe("published");
    expect((await push(at)).remote[0]).toBe(`${rinse}: unchanged since proposal 1`);
    expect(await toldOf(owner)).toEqual([
      `Bob (${editor.username}) proposes to archive SOP-0001 Rinse the mill /proposals/1`,
    ]);
    const shown = await owner.client.proposals.get({ params });
    expect(shown).toMatchObject({
      kind: "archive",
      state: "open",
      sop: { id },
      comment: "The mill is gone",
      proposed: { markdown: "Rinse it.\n" },
      fields: [],
      mayDecide: true,
    });
    await expect(editor.client.proposals.accept({ params })).rejects.toMatchObject({ code: "forbidden" });
    const merged = { markdown: "x\n", version: 1 };
    await expect(owner.client.proposals.merge({ params, body: merged })).rejects.toMatchObject({ code: "conflict" });

    const accepted = await owner.client.proposals.accept({ params });
    expect(accepted).toMatchObject({ state: "accepted", version: null, decidedBy: { name: "Ada" } });
    expect(await statusOf()).toBe("archived");
    expect(await toldOf(editor)).toEqual([
      `Ada (${owner.username}) accepted your proposal to archive SOP-0001 Rinse the mill /proposals/1`,
    ]);
    const rows = await server().db.forCompany(company.id).collection("audit_logs").find({ entityType: "proposal" });
    expect(rows.map(({ action }) => action).toSorted()).toEqual(["proposal.accept", "proposal.create"]);
    await git(at, "fetch", "-q", "origin", "refs/proposals/*:refs/proposals/*");
    expect(await git(at, "log", "--format=%s", "refs/proposals/1")).toBe(
      "proposal 1: accepted\nproposal 1: archive Rinse the mill\nbase of proposal 1: version 1\n",
    );
    await expect(owner.client.proposals.accept({ params })).rejects.toMatchObject({ code: "conflict" });
    expect((await push(at)).remote[0]).toBe(`${rinse}: kept. There is no SOP to archive`);
  });

  test("reach the owner by email, and their decision the author", async () => {
    const { owner, editor, id } = await deleted();
    const [toOwner, toEditor] = [await setEmail(server(), owner), await setEmail(server(), editor)];
    await owner.client.proposals.dismiss({ params, body: { reason: "It runs again" } });
    server().clock.advance(digestWindowMs);
    for (const user of [owner, editor]) await afterMail(server(), user);
    const subjects = async (address: string) => (await mailsTo(server(), address)).map(({ subject }) => subject);
    const what = "SOP-0001 “Rinse the mill”";
    expect([await subjects(toOwner), await subjects(toEditor)]).toEqual([
      [`Bob (${editor.username}) proposes to archive ${what}`],
      [`Ada (${owner.username}) dismissed your proposal to archive ${what}`],
    ]);
    expect((await owner.client.sops.get({ params: { id } })).status).toBe("published");
  });

  test("are dismissed with a reason, and the SOP stays", async () => {
    const { owner, editor, statusOf } = await deleted();
    await owner.client.proposals.dismiss({ params, body: { reason: "It runs again" } });
    expect(await statusOf()).toBe("published");
    expect(await editor.client.proposals.get({ params })).toMatchObject({
      state: "dismissed",
      reason: "It runs again",
    });
  });

  test("one decision counts, and archives once", async () => {
    const { owner, statusOf } = await deleted();
    const both = await Promise.allSettled([
      owner.client.proposals.accept({ params }),
      owner.client.proposals.dismiss({ params, body: { reason: "No" } }),
    ]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { state } = await owner.client.proposals.get({ params });
    expect([state, await statusOf()]).toEqual(
      state === "accepted" ? ["accepted", "archived"] : ["dismissed", "published"],
    );
  });

  test("show the SOP's text to their author only while the author sees the SOP", async () => {
    const { company, editor, id } = await deleted();
    expect((await editor.client.proposals.get({ params })).proposed.markdown).toBe("Rinse it.\n");
    const admin = await company.user("company_admin");
    await admin.client.sops.restrict({ params: { id }, body: { restricted: true } });
    await expect(editor.client.proposals.get({ params })).rejects.toMatchObject({ code: "not_found" });
    expect((await editor.client.proposals.list({ query: { state: "all" } })).data).toEqual([]);
    await expect(editor.client.proposals.dismiss({ params, body: { reason: "No" } })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await admin.client.proposals.get({ params })).toMatchObject({ state: "open" });
  });

  test("a moved file asks for nothing", async () => {
    const { at, editor } = await deleted();
    await git(at, "reset", "-q", "--hard", "origin/main");
    await git(at, "mv", rinse, "sops/uncategorized/moved.md");
    await commit(at, "Move");
    const { remote } = await push(at);
    expect(remote.join("\n")).not.toContain("to archive");
    expect((await editor.client.proposals.list({ query: {} })).data).toHaveLength(1);
  });
});
