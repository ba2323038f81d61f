/** Files of known SOPs that lost their id, or were moved, in pushes and imports. */
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gitFolder } from "../../test/git.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { describeServer, type TestUser } from "../../test/server.ts";

describeServer("files of known SOPs", (server) => {
  let dir = "";
  let remove = () => {};
  beforeEach(() => ({ dir, remove } = gitFolder()));
  afterEach(() => remove());
  const { publish, clone, write, edit, commit, push } = gitWriter(server, () => dir);
  const rinse = "sops/uncategorized/sop-0001-rinse-the-mill.md";
  const withoutId = (text: string) => text.replace(/^id: .*\n/m, "");

  async function imports(user: TestUser, file: string, text: string, dryRun = false) {
    const sha256 = createHash("sha256").update(text).digest("hex");
    const body = { importId: randomUUID(), documents: [{ path: file, text, sha256 }], dryRun };
    const [result] = (await user.client.sops.import({ body })).results;
    return [result?.outcome, result?.number ?? null, result?.version ?? null];
  }
  const exported = async (user: TestUser, id: string) =>
    (await user.send({ path: `/api/sops/${id}/export?format=md` })).body.toString();

  test("are found by their number in a push, at their path and at another", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const id = await publish(manager, "Rinse the mill", "Rinse it.\n");
    for (const [turn, moved] of [rinse, "sops/uncategorized/rinse.md"].entries()) {
      remove();
      ({ dir, remove } = gitFolder());
      const at = await clone(company, manager);
      edit(at, rinse, turn === 0 ? "Rinse it." : "Rinse it 0.", `Rinse it ${turn}.`);
      const file = path.join(at, rinse);
      writeFileSync(file, withoutId(readFileSync(file, "utf8")));
      if (moved !== rinse) renameSync(file, path.join(at, moved));
      await commit(at, "Without the id");
      const { remote } = await push(at);
      expect(remote[0]).toBe(`${moved}: draft v${turn + 2} on top of v${turn + 1} of SOP-0001`);
      expect(remote.join("\n")).not.toContain("proposal");
      await manager.client.sops.publish({ params: { id } });
    }
    expect((await manager.client.sops.list({ query: { total: "true" } })).total).toBe(1);
  });

  test("that are moved to another folder are taken, and the push says that the SOP stays", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    for (const folder of ["sops/safety-protocols", "archive/uncategorized"]) {
      remove();
      ({ dir, remove } = gitFolder());
      const at = await clone(company, manager);
      mkdirSync(path.join(at, folder), { recursive: true });
      renameSync(path.join(at, rinse), path.join(at, folder, path.basename(rinse)));
      await commit(at, "Move it");
      const { remote } = await push(at);
      expect(remote).toEqual([
        `${folder}/${path.basename(rinse)}: unchanged`,
        "  its folder changes nothing: SOP-0001 stays in sops/uncategorized/. Move or archive it in the app",
      ]);
    }
  });

  test("have the mark of an export in their name, and stay the same SOP", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    edit(at, rinse, "Rinse it.", "Rinse it well.");
    const marked = rinse.replace(/\.md$/, ".draft.md");
    renameSync(path.join(at, rinse), path.join(at, marked));
    await commit(at, "Say how");
    expect((await push(at)).remote[0]).toBe(`${marked}: draft v2 on top of v1 of SOP-0001`);
  });

  test("that lost their version are based on the one in the commit that was cloned", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const id = await publish(manager, "Rinse the mill", "Rinse it.\n");
    for (const [turn, keys] of [/^version: .*\n/m, /^(?:id|version): .*\n/gm].entries()) {
      remove();
      ({ dir, remove } = gitFolder());
      const at = await clone(company, manager);
      edit(at, rinse, keys, "");
      for (const more of [1, 2]) {
        edit(at, rinse, /^Rinse it.*$/m, `Rinse it ${turn} ${more}.`);
        await commit(at);
        const version = turn * 3 + more;
        expect((await push(at)).remote[0]).toBe(`${rinse}: draft v${version + 1} on top of v${version} of SOP-0001`);
      }
      await manager.client.sops.update({ params: { id }, body: { markdown: `Rinse it ${turn} here.\n` } });
      edit(at, rinse, /^Rinse it.*$/m, "Rinse it late.");
      await commit(at);
      const base = turn * 3 + 3;
      expect((await push(at)).remote[0]).toBe(
        `${rinse}: conflict, proposal ${turn + 1}. The SOP is at version ${base + 1}, the file is based on version ${base}`,
      );
      const { markdown } = await manager.client.sops.get({ params: { id } });
      expect(markdown).toBe(`Rinse it ${turn} here.\n`);
      await manager.client.sops.publish({ params: { id }, body: {} });
    }
  });

  test("that lost all keys are known by their text under another path", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const id = await publish(
      manager,
      "Rinse the mill",
      "## Steps\n\n1. Rinse it.\n2. Dry the lid and both bowls.\n".repeat(6),
    );
    const at = await clone(company, manager);
    const whole = readFileSync(path.join(at, rinse), "utf8");
    const moved = "sops/uncategorized/mill.md";
    const bare = whole.replace(/^---\n[^]*?\n---\n\n/, "");
    renameSync(path.join(at, rinse), path.join(at, moved));
    write(at, moved, bare);
    await commit(at);
    expect(await push(at)).toMatchObject({
      code: 1,
      remote: [
        `${moved}: refused. It resembles the deleted ${rinse}, the file of SOP-0001, and has no id. Put back sop: "SOP-0001" and id: "${id}". For a new SOP, push the deletion first`,
      ],
    });
    write(at, moved, whole.replace("Dry", "Wipe"));
    await commit(at);
    expect((await push(at)).remote[0]).toBe(`${moved}: draft v2 on top of v1 of SOP-0001`);

    // a new document beside a deleted one, and the deletion alone
    const other = await clone(company, manager, "other");
    renameSync(path.join(other, rinse), path.join(dir, "away.md"));
    write(other, moved, "---\ntitle: Sweep the yard\n---\n\nUse the wide broom, from the gate on.\n");
    await commit(other);
    expect((await push(other)).remote).toEqual([
      `${moved}: new draft SOP-0002`,
      `  ${server().url}/sop/SOP-0002`,
      `${rinse}: proposal 1 to archive SOP-0001`,
      `  ${server().url}/proposals/1`,
      "Proposals wait for a decision. Nothing was overwritten.",
    ]);
  });

  test.each([
    ["two steps", "1. Rinse it.\n2. Dry it.\n", "Dry it", "Dry it"],
    ["an edited step of four", "1. Rinse it.\n2. Dry it.\n3. Oil it.\n4. Close it.\n", "Oil it", "Oil both axes"],
  ])("that lost all keys are known by their text, also with %s", async (_, text, from, to) => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", text);
    const at = await clone(company, manager);
    const moved = "sops/uncategorized/mill.md";
    const bare = readFileSync(path.join(at, rinse), "utf8").replace(/^---\n[^]*?\n---\n\n/, "");
    renameSync(path.join(at, rinse), path.join(at, moved));
    write(at, moved, `---\ntitle: The mill\n---\n\n${bare.replace(from, to)}`);
    await commit(at);
    const { code, remote } = await push(at);
    expect([code, remote.length, remote[0]]).toEqual([1, 1, expect.stringContaining(`resembles the deleted ${rinse}`)]);
  });

  test("are found by their number in an import, where number and text fit", async () => {
    const manager = await (await server().company()).user("manager");
    const id = await publish(manager, "Rinse the mill", "## Steps\n\n1. Rinse it\n");
    const text = withoutId(await exported(manager, id));
    for (const file of [rinse, "sop-0001-rinse-the-mill.draft.md", "other.md"]) {
      expect(await imports(manager, file, text)).toEqual(["unchanged", "SOP-0001", 1]);
      expect(await imports(manager, file, text.replace("Rinse it", "Rinse it well"), true)).toEqual([
        "update",
        "SOP-0001",
        2,
      ]);
    }
    for (const spelling of ["SOP 1", "sop_0001", "SOP–0001", "SOP0001", "1"]) {
      const spelled = text.replace('sop: "SOP-0001"', `sop: ${spelling}`).replace("Rinse it", "Rinse it well");
      expect([spelling, await imports(manager, "other.md", spelled, true)]).toEqual([
        spelling,
        ["update", "SOP-0001", 2],
      ]);
    }
    // the number as another server gave it: nothing is overwritten
    const foreign = '---\nsop: "SOP-0001"\nversion: 1\ntitle: "Hire a person"\n---\n\n## Steps\n\nAsk.\n';
    expect(await imports(manager, "hire.md", foreign)).toEqual(["conflict", "SOP-0001", 1]);
    const unknown = foreign.replace("SOP-0001", "SOP-0099");
    expect(await imports(manager, "hire.md", unknown)).toEqual(["create", "SOP-0002", 1]);
    // this path has its own SOP now, whatever number the file names
    const again = unknown.replace("SOP-0099", "SOP-0001");
    expect((await imports(manager, "hire.md", again.replace("Ask.", "Ask twice.")))[1]).toBe("SOP-0002");
  });

  test("whose number and id contradict each other, or whose number only looks like one, are refused", async () => {
    const manager = await (await server().company()).user("manager");
    const id = await publish(manager, "Rinse the mill", "Rinse it.\n");
    await publish(manager, "Oil the mill", "Oil it.\n");
    const text = await exported(manager, id);
    const with2 = text.replace('sop: "SOP-0001"', "sop: SOP-0002");
    const well = with2.replace("Rinse it.", "Rinse it well.");
    for (const sent of [with2, well])
      for (const dryRun of [true, false])
        expect(await imports(manager, "a.md", sent, dryRun)).toEqual(["refused", null, null]);
    for (const number of ["SOP-OOO1", "S0P-0001", "S0P-OO01"]) {
      const lookalike = withoutId(text).replace('sop: "SOP-0001"', `sop: ${number}`);
      expect([number, (await imports(manager, "b.md", lookalike))[0]]).toEqual([number, "refused"]);
    }
    // a draft that got another number is still the SOP of its older files
    const draft = await manager.client.sops.create({ body: { title: "New", description: "D", markdown: "Text.\n" } });
    const older = await exported(manager, draft.id);
    await manager.client.sops.update({ params: { id: draft.id }, body: { number: "SOP-0050" } });
    expect((await imports(manager, "new.md", older.replace("Text.", "Other text.")))[1]).toBe("SOP-0050");
    expect((await manager.client.sops.list({ query: { total: "true" } })).total).toBe(3);
  });

  test("that a user can't see aren't found by their number", async () => {
    const company = await server().company();
    const [manager, writer] = [await company.user("manager"), await company.user("contributor")];
    const { id } = await manager.client.sops.create({
      body: { title: "Secret", description: "D", markdown: "Text.\n" },
    });
    const text = withoutId(await exported(manager, id));
    expect((await imports(writer, "a.md", text))[0]).toBe("create");
  });
});
