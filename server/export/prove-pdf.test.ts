/** `sop verify` says whether the text that a PDF carries is a version of the company's repository. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { seeded } from "../../test/audit-tamper.ts";
import { git, gitFolder } from "../../test/git.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { count } from "../../test/proof.ts";
import { describeServer } from "../../test/server.ts";
import { pdfAttachments } from "../../cli/workspace/pdf-attachments.ts";

const sop = path.resolve(import.meta.dirname, "../../cli/main.ts");

function verify(...args: string[]): Promise<{ code: number; told: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [sop, "verify", ...args], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, told: stdout + stderr });
    });
  });
}

describeServer("a PDF that proves itself", (server) => {
  let dir = "";
  let remove = () => {};
  beforeEach(() => ({ dir, remove } = gitFolder()));
  afterEach(() => remove());
  const { publish, clone } = gitWriter(server, () => dir);

  /** Two published versions, both exported as PDF, and a clone. */
  const exported = async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const id = await publish(manager, "Rinse the mill", "Rinse it.\n");
    await manager.client.sops.update({ params: { id }, body: { markdown: "Rinse it twice.\n" } });
    await manager.client.sops.publish({ params: { id }, body: {} });
    const { repositories } = server().running.services;
    await repositories.drain(company.id);
    const pdfOf = async (version: number, more = "") => {
      const query = `format=pdf&version=${version}${more}`;
      const { status, bytes } = await manager.send({ path: `/api/sops/${id}/export?${query}` });
      expect(status).toBe(200);
      const file = path.join(dir, `v${version}${more.replace(/\W/g, "")}.pdf`);
      writeFileSync(file, bytes);
      return file;
    };
    const at = await clone(company, manager);
    const commitOf = async (version: number) => (await git(at, "rev-parse", `sop-0001/v${version}`)).trim();
    return { company, manager, id, at, pdfOf, commitOf };
  };

  test("carries the version and its commit: alone, with a noted commit, and against a clone", async () => {
    const { at, pdfOf, commitOf, company } = await exported();
    const [old, file] = [await pdfOf(1), await pdfOf(2)];
    const commit = await commitOf(2);
    const alone = await verify(file);
    expect(alone).toEqual({ code: 0, told: expect.stringMatching(/^OK {2}the attached text is SOP-0001 v2, as/) });
    expect(alone.told).toContain(commit);
    expect(alone.told).toContain("A commit can be forged");
    const [log] = await server()
      .db.forCompany(company.id)
      .collection("audit_logs")
      .find({ action: "sop.export" }, { sort: { createdAt: -1, _id: -1 }, limit: 1 });
    expect(alone.told).toContain(String(log?.changes?.["sha256"]));
    expect((await verify(file, "--expect", commit.slice(0, 12))).code).toBe(0);
    expect((await verify(file, "--clone", at)).code).toBe(0);
    expect((await verify(old, "--clone", at, "--expect", commit)).code).toBe(0);
    expect(await verify(old, "--expect", commit)).toEqual({
      code: 1,
      told: `ALTERED  SOP-0001 v1: its commit is ${await commitOf(1)}, not ${commit}\n`,
    });
  });

  test("of another repository is in no clone of this one", async () => {
    const [one, other] = [await exported(), await exported()];
    const { code, told } = await verify(await one.pdfOf(1), "--clone", other.at);
    expect([code, told]).toEqual([1, expect.stringContaining(`${await one.commitOf(1)} is part of no branch`)]);
  });

  test("names any byte that changed in what it carries", { timeout: 900_000 }, async () => {
    const { pdfOf } = await exported();
    const file = await pdfOf(2);
    const before = readFileSync(file);
    const below = seeded(3);
    expect(pdfAttachments(before)).toHaveLength(2);
    const carried = [...before.toString("latin1").matchAll(/\/EmbeddedFile\n[^]*?\nstream\n([^]*?)\nendstream/dg)];
    expect(carried).toHaveLength(2);
    for (const { indices } of carried) {
      const [start = 0, end = 0] = indices?.[1] ?? [];
      for (let turn = 0; turn < count({ usual: 6, nightly: 100, proof: 100 }); turn += 1) {
        const [at, bit] = [start + below(end - start), below(8)];
        const after = Buffer.from(before);
        after[at] = (after[at] ?? 0) ^ (1 << bit);
        writeFileSync(file, after);
        const { code, told } = await verify(file);
        expect([at, bit, code, told]).toEqual([at, bit, 1, expect.stringMatching(/^ALTERED {2}.+/)]);
      }
    }
  });

  test("says what it can't check: a PDF/A, one that another program saved", async () => {
    const { pdfOf } = await exported();
    const archived = await verify(await pdfOf(2, "&standard=a-2b"));
    expect([archived.code, archived.told]).toEqual([2, expect.stringContaining("it carries no version and no commit")]);
    const saved = path.join(dir, "saved.pdf");
    writeFileSync(saved, Buffer.concat([readFileSync(await pdfOf(2)), Buffer.from("% saved\n")]));
    expect((await verify(saved)).told).toContain("another program saved it again");
  });
});
