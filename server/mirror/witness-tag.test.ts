/** What a mirror gets beside branches and tags of versions: approval notes, and the heads of the daily check. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { git, gitFolder } from "../../test/git.ts";
import { startGitHost, type GitHost } from "../../test/git-host.ts";
import { describeServer } from "../../test/server.ts";
import { recordVerification } from "../integrity/witness.ts";
import { debounceMs } from "./job.ts";

const env: Record<string, string> = {};
let host: GitHost;
beforeAll(async () => {
  host = await startGitHost();
  env["MIRROR_HOSTS"] = host.url;
});
afterAll(() => host.stop());

const provers = [
  ["python3", path.resolve("verify.py")],
  [process.execPath, path.resolve("cli/main.ts"), "verify"],
];
const dayMs = 24 * 3_600_000;

describeServer(
  "the mirror of a repository",
  (server) => {
    let dir = "";
    let remove = () => {};
    beforeEach(() => ({ dir, remove } = gitFolder()));
    afterEach(() => remove());

    const mirrored = async (settings: { witness?: boolean } = {}) => {
      const company = await server().company();
      const [admin, editor] = [await company.user("company_admin"), await company.user("editor")];
      const name = `mirror-${company.id}`;
      const url = await host.create(name);
      await admin.client.mirror.update({ body: { url, username: "mirror", token: host.token, ...settings } });
      const body = { title: "Rinse the mill", description: "D", markdown: "Rinse it.\n" };
      const { id } = await editor.client.sops.create({ body });
      const asked = await editor.client.sops.requestApproval({ params: { id }, body: { approverIds: [admin.id] } });
      await admin.client.approvals.approve({ params: { id: asked.id } });
      const { mirrors, services } = server().running;
      await mirrors.run();
      server().clock.advance(debounceMs);
      await mirrors.run();
      const check = async () => {
        const { db, clock } = server();
        const about = { _id: company.id, slug: "mill" };
        const report = await services.repositories.verify(company.id);
        await recordVerification({ db, clock, config: { witnessFile: null } }, about, report);
        await mirrors.run();
        return `refs/tags/witness/${clock.now().slice(0, 10)}`;
      };
      return { company, admin, name, url, check, ours: await services.repositories.head(company.id) };
    };

    test("gets the approval notes", async () => {
      const { company, name } = await mirrored();
      const notes = "refs/notes/approvals";
      const gitdir = server().running.services.repositories.path(company.id);
      expect(await host.refs(name)).toMatchObject({ [notes]: (await git(gitdir, "rev-parse", notes)).trim() });
    });

    test("gets a tag each day with the heads that the check found, by choice", async () => {
      const { admin, name, url, check, ours } = await mirrored();
      const first = await check();
      expect(Object.keys(await host.refs(name))).not.toContain(first);
      await admin.client.mirror.update({ body: { url, username: "mirror", witness: true } });
      await server().running.mirrors.run();
      expect((await admin.client.mirror.get()).settings).toMatchObject({ witness: true });
      const before = await host.refs(name);
      server().clock.advance(dayMs);
      const second = await check();
      const after = await host.refs(name);
      expect([first in before, second in before, first in after, second in after]).toEqual([true, false, true, true]);
      expect(after[first]).toBe(before[first]);

      // an auditor with a clone of the mirror alone
      await git(dir, "clone", "-q", "--single-branch", host.withToken(url), "copy");
      const at = path.join(dir, "copy");
      const told = await git(at, "cat-file", "tag", first.replace("refs/tags/", ""));
      expect(told).toContain(`\nmain ${ours.main}\nhistory ${ours.history}\n`);
      expect((await git(at, "rev-parse", `${first}^{commit}`)).trim()).toBe(ours.main);
      for (const [program = "", ...args] of provers) {
        const { stdout } = await promisify(execFile)(program, [...args, at, "--expect", ours.main ?? ""]);
        expect(stdout).toMatch(/^(yes: |OK {2})/m);
      }
    });

    test("gets no tag of a check that found a difference", async () => {
      const { company, name, check } = await mirrored({ witness: true });
      const ledger = server().db.forCompany(company.id).collection("repo_events");
      await ledger.updateOne({ seq: 0 }, { $set: { authorName: "Mallory" } });
      expect(Object.keys(await host.refs(name))).not.toContain(await check());
    });
  },
  { env },
);
