/** Keys in the front matter of pushed files: what can't count as it is written is refused or named. */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gitFolder } from "../../test/git.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { describeServer } from "../../test/server.ts";

describeServer("keys in pushed files", (server) => {
  let dir = "";
  let remove = () => {};
  beforeEach(() => ({ dir, remove } = gitFolder()));
  afterEach(() => remove());
  const { publish, clone, edit, write, commit, push } = gitWriter(server, () => dir);
  const rinse = "sops/uncategorized/sop-0001-rinse-the-mill.md";

  test("whose values can't be read refuse the file, with lines and what to write", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const id = await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    const keys = 'effective: 2027-10-01T00:00:00+02:00\nreview_by: "01.02.2028"\nfoo_bar: x\ntemplate:';
    edit(at, rinse, "template:", keys);
    await commit(at);
    const { code, remote } = await push(at);
    expect(code).toBe(1);
    expect(remote).toEqual([
      expect.stringMatching(
        /^sops\/uncategorized\/sop-0001-rinse-the-mill\.md: refused\. line \d+: effective: 2027-10-01T00:00:00\+02:00 can't be read\. Write the date as YYYY-MM-DD, from 1900 to 2999\. line \d+: review_by: 01\.02\.2028 can't be read\. Write the date as YYYY-MM-DD, from 1900 to 2999$/,
      ),
    ]);
    expect((await manager.client.sops.get({ params: { id } })).version).toBe(1);

    edit(at, rinse, "2027-10-01T00:00:00+02:00", "2027-10-01");
    edit(at, rinse, '"01.02.2028"', "2028-02-01");
    await commit(at);
    const taken = await push(at);
    expect(taken.remote[0]).toBe(`${rinse}: draft v2 on top of v1 of SOP-0001`);
    expect(taken.remote.at(-1)).toMatch(/^ {2}line \d+: kept under x-: foo_bar$/);
    const saved = await manager.client.sops.publish({ params: { id }, body: {} });
    expect(saved).toMatchObject({ scheduled: { effectiveAt: "2027-10-01T00:00:00.000Z" }, reviewBy: "2028-02-01" });
  });

  test("that name the SOP by another spelling of its number find it", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    const spellings = ["SOP 1", "SOP0001", "'1'", "1", "SOP_0001", "SOP–0001", "sop - 0001", "ＳＯＰ－１", "sop‑01"];
    for (const [turn, spelling] of spellings.entries()) {
      remove();
      ({ dir, remove } = gitFolder());
      const at = await clone(company, manager);
      const text = `---\nsop: ${spelling}\ntitle: Rinse the mill\n---\n\nRinse it.\n\nTurn ${turn}.\n`;
      write(at, "sops/uncategorized/other.md", text);
      // beside the file with the id, it would be a second file of the SOP
      rmSync(path.join(at, rinse));
      await commit(at);
      expect([spelling, ...(await push(at)).remote].join("\n")).toMatch(/conflict|draft v\d+ on top of/);
    }
    expect((await manager.client.sops.list({ query: { total: "true" } })).total).toBe(1);
    for (const spelling of spellings) {
      const id = encodeURIComponent(spelling.replaceAll("'", ""));
      const answer = await manager.send({ path: `/api/sops/${id}` });
      expect([spelling, answer.status]).toEqual([spelling, 200]);
    }
  });

  test("beyond the bounds of the API refuse the file; a category that can't be read is named", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    edit(at, rinse, "read_minutes: 1\n", "read_minutes: 10001\n");
    const oil = "sops/uncategorized/oil.md";
    write(at, oil, "---\ntitle: Oil\ncategory: [Mill]\n---\n\nOil it.\n");
    await commit(at);
    const { code, remote } = await push(at);
    expect([code, remote.at(-1)]).toEqual([
      1,
      expect.stringMatching(
        /\.md: refused\. line \d+: read_minutes: 10001 can't be read\. Read time must be at most 10000 minutes$/,
      ),
    ]);
    expect(remote).toContain(`  line 3: category: ["Mill"] can't be read. Write the name of one category`);
    edit(at, rinse, "read_minutes: 10001\n", "read_minutes: 10000\n");
    await commit(at);
    expect((await push(at)).remote).toContain(`${rinse}: draft v2 on top of v1 of SOP-0001`);
  });

  test("with a number that isn't one of the company refuse the file; a free one of the company is named", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    const file = (number: string) => `---\nsop: ${number}\ntitle: Oil ${number}\n---\n\nOil it.\n`;
    write(at, "sops/uncategorized/a.md", file("16#18"));
    write(at, "sops/uncategorized/b.md", file("QM-4"));
    write(at, "sops/uncategorized/c.md", file("SOP 99"));
    await commit(at);
    const { remote } = await push(at);
    expect(remote).toEqual([
      "sops/uncategorized/a.md: refused. line 2: sop: 16#18 can't be read. Write a number such as SOP-0042, or remove the line",
      `sops/uncategorized/b.md: refused. sop: "QM-4" doesn't fit the company's numbers. Write one such as SOP-0007, or remove the line`,
      "sops/uncategorized/c.md: new draft SOP-0002",
      `  ${server().url}/sop/SOP-0002`,
      "  Its number SOP 99 was given elsewhere: it gets the next one here. To choose it, write number: SOP 99",
    ]);
  });

  test("that name an unknown owner leave the SOP its owner, in a draft and in a proposal", async () => {
    const company = await server().company();
    const [owner, editor] = [await company.user("manager", { name: "Mo Manager" }), await company.user("editor")];
    const contributor = await company.user("contributor");
    const id = await publish(owner, "Rinse the mill", "Rinse it.\n");
    const said = `The owner Mo Manager is not a username, write ${owner.username}: the SOP keeps its owner, the name is kept as x-owner`;
    for (const [turn, user] of [contributor, editor].entries()) {
      const at = await clone(company, user);
      edit(at, rinse, `owner: "${owner.username}"`, 'owner: "Mo Manager"');
      edit(at, rinse, turn === 0 ? "Rinse it." : "Rinse it 0.", `Rinse it ${turn}.`);
      await commit(at);
      expect((await push(at)).remote.join("\n")).toContain(said);
      if (user === contributor)
        expect(await owner.client.proposals.accept({ params: { id: "1" } })).toMatchObject({ version: 2 });
      await owner.client.sops.publish({ params: { id }, body: {} });
    }
    const { ownerId, version } = await owner.client.sops.get({ params: { id } });
    expect({ ownerId, version }).toEqual({ ownerId: owner.id, version: 3 });
  });

  test("that contradict each other refuse the file", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const id = await publish(manager, "Rinse the mill", "Rinse it.\n");
    await publish(manager, "Oil the mill", "Oil it.\n");
    const at = await clone(company, manager);
    edit(at, rinse, 'sop: "SOP-0001"', 'sop: "SOP-0002"');
    edit(at, rinse, "Rinse it.", "Rinse it well.");
    await commit(at);
    const { code, remote } = await push(at);
    const reason = 'sop: "SOP-0002" and the id of SOP-0001 contradict each other. Put back sop: "SOP-0001"';
    expect([code, remote]).toEqual([1, [`${rinse}: refused. ${reason}`]]);
    for (const number of ["SOP-0099", "S0P-0001", "SOP-OOO1"]) {
      edit(at, rinse, /^sop: .*$/m, `sop: ${number}`);
      await commit(at);
      expect((await push(at)).remote.join("\n")).toContain(`sop: "${number}" and the id of SOP-0001 contradict`);
    }
    for (const number of ["sop 1", "1", "SOP-1"]) {
      edit(at, rinse, /^sop: .*$/m, `sop: ${number}`);
      edit(at, rinse, /^Rinse it.*$/m, `Rinse it ${number.length}.`);
      await commit(at);
      expect((await push(at)).remote[0]).toMatch(/draft v\d on top of v\d of SOP-0001$/);
    }
    expect((await manager.client.sops.get({ params: { id } })).version).toBe(4);
  });

  test("without effect are named: a version to come, and an id and a version of a new SOP", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    edit(at, rinse, "version: 1\n", "version: 99\n");
    const oil = "sops/uncategorized/oil.md";
    const unknown = "018f0000-0000-7000-8000-000000000000";
    write(at, oil, `---\nid: "${unknown}"\nversion: 7\ntitle: Oil\n---\n\nOil it.\n`);
    await commit(at);
    expect((await push(at)).remote).toEqual([
      `${oil}: new draft SOP-0002`,
      `  ${server().url}/sop/SOP-0002`,
      `  id: ${unknown} is ignored, because you see no SOP with it. The new SOP gets its own`,
      "  version: 7 is ignored, because a new SOP begins at version 1",
      `${rinse}: unchanged`,
      "  version: 99 is ignored, because SOP-0001 is at version 1",
    ]);
  });

  test("that are gone from a known file refuse it, unless its SOP is gone too", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const id = await publish(manager, "Rinse the mill", "Rinse it.\n");
    const oiled = await publish(manager, "Oil the mill", "Oil it.\n");
    const at = await clone(company, manager);
    const oil = "sops/uncategorized/sop-0002-oil-the-mill.md";
    edit(at, oil, /^(?:id|sop): .*\n/gm, "");
    await manager.client.sops.remove({ params: { id: oiled } });
    const lost = /^(?:sop|id): .*\n/gm;
    const before = readFileSync(path.join(at, rinse), "utf8");
    const without = before.replace(lost, "").replace("Rinse it.", "Rinse it well.");
    const reason = `It was the file of SOP-0001 and lost its id. Put back sop: "SOP-0001" and id: "${id}", or give a new SOP another path`;
    const forms = [
      without,
      without.replace("---\n", '---\nid:\nsop: ""\n'),
      without.replace("---\n", "---\nsop: SOP-0099\n"),
      "Rinse it, without front matter.\n",
    ];
    for (const [turn, text] of forms.entries()) {
      write(at, rinse, text);
      await commit(at);
      const { code, remote } = await push(at);
      expect([turn, code]).toEqual([turn, 1]);
      expect(remote).toContain(`${rinse}: refused. ${reason}`);
      if (turn === 0) expect(remote).toContain(`${oil}: new draft SOP-0003`);
    }
    // its SOP has another file now, so this one can be new
    write(at, "sops/uncategorized/rinse.md", before);
    write(at, rinse, "# Sweep the mill\n\nSweep it.\n");
    await commit(at);
    expect((await push(at)).remote).toContain(`${rinse}: new draft SOP-0004`);
  });

  test("whose spelling can mean two SOPs refuse the file", async () => {
    const company = await server().company();
    const [admin, manager] = [await company.user("company_admin"), await company.user("manager")];
    for (const numberScheme of ["QM-{seq:2}", "QM.{seq:2}"]) {
      await admin.client.company.update({ body: { settings: { numberScheme } } });
      await publish(manager, `Rinse ${numberScheme}`, "Rinse it.\n");
    }
    const at = await clone(company, manager);
    for (const [name, number] of Object.entries({ a: "QM 1", b: "QM.1", c: "1" }))
      write(at, `sops/uncategorized/${name}.md`, `---\nsop: ${number}\ntitle: Rinse QM\n---\n\nRinse it. ${name}\n`);
    await commit(at);
    const { remote } = await push(at);
    expect(remote).toContain(
      "sops/uncategorized/a.md: refused. The number QM 1 can mean QM-01 or QM.01. Write it as one of them",
    );
    expect(remote.join("\n")).toMatch(/\/b\.md: (?:conflict|draft v2 on top of v1 of QM\.01)/);
    expect(remote).toContain(
      "sops/uncategorized/c.md: refused. The number 1 can mean QM-01 or QM.01. Write it as one of them",
    );
    const { id } = await manager.client.sops.get({ params: { id: "qm.1" } });
    expect((await manager.client.sops.get({ params: { id: "QM.0001" } })).id).toBe(id);
    await expect(manager.client.sops.get({ params: { id: "QM 1" } })).rejects.toMatchObject({ code: "conflict" });
  });
});
