/** Native git pushes to a real server: each changed document becomes a draft or is refused in words. */
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import * as isomorphic from "isomorphic-git";
import http from "isomorphic-git/http/node";
import { afterEach, beforeEach, expect, test } from "vitest";
import { printedName } from "#core/users/printed-name.ts";
import { git, gitFolder, runGit } from "../../test/git.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { pngOf } from "../../test/images.ts";
import { describeServer, type Company } from "../../test/server.ts";

describeServer("pushes to the repository", (server) => {
  let dir = "";
  let remove = () => {};
  beforeEach(() => ({ dir, remove } = gitFolder()));
  afterEach(() => remove());

  const { addressOf, publish, clone, write, edit, commit, push } = gitWriter(server, () => dir);
  const audited = async (company: Company) =>
    (await server().db.forCompany(company.id).collection("audit_logs").find({ action: "repository.push" })).map(
      ({ changes }) => changes,
    );
  const rinse = "sops/uncategorized/sop-0001-rinse-the-mill.md";

  test("gives each changed document one result, with links", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const id = await publish(manager, "Rinse the mill", "Rinse it.\n");
    const stays = await publish(manager, "Oil the mill", "Oil it.\n");
    const at = await clone(company, manager);
    edit(at, rinse, "Rinse it.", "Rinse it twice.");
    write(at, "sops/uncategorized/sharpen.md", '---\ntitle: "Sharpen the mill"\n---\n\nSharpen it.\n');
    write(at, "sops/uncategorized/broken.md", '---\ntitle: "Broken\n---\n\nText.\n');
    write(at, "README.md", "Not an SOP.\n");
    write(at, "NOTES.md", "Not an SOP.\n");
    rmSync(path.join(at, "sops/uncategorized/sop-0002-oil-the-mill.md"));
    await commit(at, "Rinse twice\n\nOnce was not enough.");

    const { code, stderr, remote } = await push(at);
    const { url } = server();
    expect(code).toBe(1);
    expect(stderr).toContain("1 of 4 documents were not taken");
    expect(remote).toEqual([
      expect.stringMatching(/^sops\/uncategorized\/broken\.md: refused\. .*line 2/),
      `sops/uncategorized/sharpen.md: new draft SOP-0003`,
      `  ${url}/sop/SOP-0003`,
      `${rinse}: draft v2 on top of v1 of SOP-0001`,
      `  ${url}/sop/SOP-0001`,
      "NOTES.md: left out, it is not a document below sops/, templates/ or archive/",
      "README.md: left out, the server writes it",
      "sops/uncategorized/sop-0002-oil-the-mill.md: proposal 1 to archive SOP-0002",
      `  ${url}/proposals/1`,
      "Proposals wait for a decision. Nothing was overwritten.",
    ]);
    const sop = await manager.client.sops.get({ params: { id } });
    expect([sop.version, sop.markdown]).toEqual([2, "Rinse it twice.\n"]);
    const stored = await server()
      .db.forCompany(company.id)
      .collection("sop_versions")
      .findOne({ sopId: id, version: 2 });
    expect(stored?.changeNote).toBe("Rinse twice\n\nOnce was not enough.");
    expect(await audited(company)).toEqual([
      { refs: ["refs/for/main"], created: 1, updated: 1, unchanged: 0, proposed: 1, conflicts: 0, refused: 1 },
    ]);
    expect((await manager.client.sops.get({ params: { id: stays } })).status).toBe("published");
    expect(await git(at, "ls-remote", "origin")).not.toContain("refs/for");

    const again = await push(at, "HEAD:refs/for/drafts/mill");
    expect(again.remote).toContain("sops/uncategorized/sharpen.md: unchanged");
    expect(again.remote).toContain(`${rinse}: unchanged`);
  });

  const png = pngOf("mill");

  test("stores images beside documents, and links of new documents lead to their SOPs", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    write(at, "sops/uncategorized/images/mill.png", png);
    const links = "[oil](oil.md), [rinse](sop-0001-rinse-the-mill.md), ![mill](images/mill.png), ![no](images/no.png)";
    write(at, "sops/uncategorized/grind.md", `---\ntitle: "Grind"\n---\n\nGrind: ${links}.\n`);
    write(at, "sops/uncategorized/oil.md", '---\ntitle: "Oil"\n---\n\nSee [grinding](./grind.md).\n');
    await commit(at);
    const { code, remote } = await push(at);
    expect([code, remote]).toEqual([
      0,
      [
        "sops/uncategorized/grind.md: new draft SOP-0002",
        `  ${server().url}/sop/SOP-0002`,
        "  line 5: images/no.png is not there",
        "sops/uncategorized/oil.md: new draft SOP-0003",
        `  ${server().url}/sop/SOP-0003`,
      ],
    ]);
    const textOf = async (title: string) => {
      const { data } = await manager.client.sops.list({ query: { search: title } });
      const id = data.find((row) => row.title === title)?.id ?? "";
      return (await manager.client.sops.get({ params: { id } })).markdown;
    };
    const sha256 = createHash("sha256").update(png).digest("hex");
    expect(await textOf("Grind")).toBe(
      `Grind: [oil](/sop/SOP-0003), [rinse](/sop/SOP-0001), ![mill](/api/assets/${sha256}.png), ![no](images/no.png).\n`,
    );
    expect(await textOf("Oil")).toBe("See [grinding](/sop/SOP-0002).\n");
    expect((await manager.send({ path: `/api/assets/${sha256}.png` })).status).toBe(200);

    await git(at, "fetch", "-q", "origin");
    await git(at, "checkout", "-q", "origin/history");
    edit(at, "sops/uncategorized/sop-0002-grind.md", "Grind: ", "Grind well: ");
    await commit(at);
    expect((await push(at)).remote).toEqual([
      "sops/uncategorized/sop-0002-grind.md: draft v2 on top of v1 of SOP-0002",
      `  ${server().url}/sop/SOP-0002`,
      "  line 13: images/no.png is not there",
    ]);
    expect(await textOf("Grind")).toContain(`![mill](/api/assets/${sha256}.png)`);
  });

  test("never overwrites: what another user saved since is a conflict", async () => {
    const company = await server().company();
    const [manager, editor] = [await company.user("manager"), await company.user("manager")];
    const id = await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, editor);
    await manager.client.sops.update({ params: { id }, body: { markdown: "Rinse it in secret.\n" } });
    edit(at, rinse, "Rinse it.", "Rinse it twice.");
    await commit(at);
    const { code, remote } = await push(at);
    expect([code, remote]).toEqual([
      0,
      [
        `${rinse}: conflict, proposal 1. The SOP is at version 2, the file is based on version 1`,
        `  ${server().url}/proposals/1`,
        "Proposals wait for a decision. Nothing was overwritten.",
      ],
    ]);
    expect((await manager.client.sops.get({ params: { id } })).markdown).toBe("Rinse it in secret.\n");
  });

  test("takes further commits of the same branch on top of its own draft, and only of that", async () => {
    const company = await server().company();
    const [manager, other] = [await company.user("manager"), await company.user("manager")];
    const id = await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    const further = async (from: string, to: string) => {
      edit(at, rinse, from, to);
      await commit(at);
      return (await push(at)).remote[0];
    };
    const version = (made: number) => `${rinse}: draft v${made} on top of v${made - 1} of SOP-0001`;
    expect(await further("Rinse it.", "Rinse it twice.")).toBe(version(2));
    expect(await further("twice", "three times")).toBe(version(3));
    expect(await further("three", "four")).toBe(version(4));

    // another clone of version 1 has none of these commits
    const elsewhere = await clone(company, other);
    edit(elsewhere, rinse, "Rinse it.", "Rinse it once.");
    await commit(elsewhere);
    expect((await push(elsewhere)).remote[0]).toContain(
      "conflict, proposal 1. The SOP is at version 4, the file is based on version 1",
    );

    await other.client.sops.update({ params: { id }, body: { markdown: "Rinse it never.\n" } });
    expect(await further("four", "five")).toContain(
      "conflict, proposal 2. The SOP is at version 5, the file is based on version 4",
    );
    expect((await manager.client.sops.get({ params: { id } })).markdown).toBe("Rinse it never.\n");
  });

  test("refuses other branches, tags, deletions and forced pushes, each with the command that does it right", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    edit(at, rinse, "Rinse it.", "Rinse it twice.");
    await commit(at);
    await git(at, "tag", "mine");
    for (const refs of [
      ["HEAD:refs/heads/main"],
      ["+HEAD:refs/heads/history"],
      ["--force", "HEAD:main"],
      ["mine"],
      ["HEAD:refs/heads/elsewhere"],
      ["HEAD:refs/for/main", "HEAD:refs/heads/drafts/x", "HEAD:main"],
    ]) {
      const { code, stderr, remote } = await push(at, ...refs);
      expect([refs, code]).toEqual([refs, 1]);
      expect(stderr).toContain("[remote rejected]");
      expect(remote).toContain("  git push origin HEAD:refs/for/main");
    }
    for (const refs of [[":main"], [":refs/tags/sop-0001/v1"]]) {
      const { code, stderr, remote } = await push(at, ...refs);
      expect([code, stderr]).toEqual([1, expect.stringContaining("nothing is deleted by a push")]);
      expect(remote).toContain("  archive an SOP in the browser");
    }
    expect((await audited(company)).length).toBe(8);
    expect(await git(at, "ls-remote", "origin", "refs/heads/*")).not.toMatch(/elsewhere|drafts/);
  });

  test("takes a push from the copy of a user who can't read everything, also after it changed", async () => {
    const company = await server().company();
    const [manager, editor] = [await company.user("manager"), await company.user("editor")];
    await company.user("company_admin").then(async (admin) => {
      const secret = await publish(manager, "Sell the mill", "Sell it.\n");
      await admin.client.sops.restrict({ params: { id: secret }, body: { restricted: true } });
    });
    const { id } = await editor.client.sops.create({
      body: { title: "Rinse the mill", description: "D", markdown: "Rinse it.\n" },
    });
    const at = await clone(company, editor, "copy");
    await git(at, "checkout", "-q", "history");
    await manager.client.sops.create({ body: { title: "Oil the mill", description: "D", markdown: "Oil it.\n" } });
    const file = "sops/uncategorized/sop-0002-rinse-the-mill.md";
    edit(at, file, "Rinse it.", "Rinse it twice.");
    await commit(at);
    const { code, remote } = await push(at);
    expect([code, remote]).toEqual([
      0,
      [`${file}: draft v2 on top of v1 of SOP-0002`, `  ${server().url}/sop/SOP-0002`],
    ]);
    expect((await editor.client.sops.get({ params: { id } })).version).toBe(2);
  });

  test("answers no word of what the user can't read, with any id in a file", async () => {
    const company = await server().company();
    const [admin, manager, editor] = [
      await company.user("company_admin"),
      await company.user("manager"),
      await company.user("editor"),
    ];
    const restricted = await publish(manager, "Sell the mill", "Sell it.\n");
    await admin.client.sops.restrict({ params: { id: restricted }, body: { restricted: true } });
    const drafted = await publish(manager, "Rinse the mill", "Rinse it.\n");
    await manager.client.sops.update({
      params: { id: drafted },
      body: { title: "Sell parts", markdown: "Sell parts.\n" },
    });
    const at = await clone(company, editor);
    const file = (id: string, text: string) =>
      `---\nid: "${id}"\nversion: 1\ntitle: "Guess ${text}"\ndescription: "D"\n---\n\nGuess ${text}.\n`;
    write(at, "sops/uncategorized/restricted.md", file(restricted, "a"));
    write(at, "sops/uncategorized/unknown.md", file("01a20bd2-bab8-715d-948e-2896b60a974a", "b"));
    write(at, "sops/uncategorized/conflict.md", file(drafted, "c"));
    await commit(at);
    const { stderr, remote } = await push(at);
    expect(stderr).not.toMatch(/sell|parts/i);
    // a hidden SOP answers as one that was never there
    expect(remote).toContain("sops/uncategorized/restricted.md: new draft SOP-0003");
    expect(remote).toContain("sops/uncategorized/unknown.md: new draft SOP-0004");
    expect((await manager.client.sops.get({ params: { id: restricted } })).version).toBe(1);
    expect((await manager.client.sops.get({ params: { id: drafted } })).version).toBe(2);
  });

  test("needs the scope and the right to write, for each file too", async () => {
    const company = await server().company();
    const [admin, manager, viewer] = [
      await company.user("company_admin"),
      await company.user("manager"),
      await company.user("viewer"),
    ];
    const stranger = await (await server().company()).user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    edit(at, rinse, "Rinse it.", "Rinse it twice.");
    await commit(at);
    const to = async (address: string) => {
      const { code, stderr } = await runGit(at, "push", address, "HEAD:refs/for/main");
      return code === 0 ? "taken" : stderr;
    };
    expect(await to(await addressOf(company, manager, ["repo:read"]))).toContain("lacks the scope repo:push");
    expect(await to(await addressOf(company, viewer))).toContain("permission to write SOPs");
    expect(await to(await addressOf(company, stranger))).toContain("not found");
    const denied = server().db.forCompany(company.id).collection("audit_logs");
    await expect
      .poll(async () =>
        (await denied.find({ action: "access.denied" })).map(({ userId, changes }) => [userId, changes]),
      )
      .toEqual(
        expect.arrayContaining(
          [manager, viewer].map(({ id }) => [id, { call: "repository.push", status: 403, code: "forbidden" }]),
        ),
      );
    const address = await addressOf(company, manager, ["repo:push"]);
    expect(await to(address)).toBe("taken");
    await admin.client.companyUsers.update({ params: { id: manager.id }, body: { status: "suspended" } });
    expect(await to(address)).toContain("Authentication failed");
  });

  test("takes a push from isomorphic-git", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const id = await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    edit(at, rinse, "Rinse it.", "Rinse it twice.");
    await commit(at);
    const { username, password, origin, pathname } = new URL(await addressOf(company, manager));
    const pushed = await isomorphic.push({
      fs,
      http,
      dir: at,
      url: `${origin}${pathname}`,
      ref: await git(at, "branch", "--show-current").then((name) => name.trim()),
      remoteRef: "refs/heads/drafts/mill",
      onAuth: () => ({ username, password }),
    });
    expect(pushed.ok).toBe(true);
    expect((await manager.client.sops.get({ params: { id } })).markdown).toBe("Rinse it twice.\n");
  });

  test("removes what a crash left behind, and keeps no object of a push", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const id = await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    const left = path.join(server().dataDir, "pushes/sop-import-old/quarantine.git");
    mkdirSync(left, { recursive: true });
    await server().restart();
    await git(at, "remote", "set-url", "origin", await addressOf(company, manager));
    edit(at, rinse, "Rinse it.", "Rinse it twice.");
    await commit(at);
    expect((await push(at)).code).toBe(0);
    expect(readdirSync(path.join(server().dataDir, "pushes"))).toEqual([]);
    const head = (await git(at, "rev-parse", "HEAD")).trim();
    const gitdir = server().running.services.repositories.path(company.id);
    expect((await runGit(gitdir, "cat-file", "-e", head)).code).not.toBe(0);
    expect(
      await git(at, "fetch", "-q", "origin").then(() => git(at, "log", "-1", "--format=%an", "origin/history")),
    ).toBe(`${printedName(manager)}\n`);
    expect((await manager.client.sops.get({ params: { id } })).version).toBe(2);
  });
});
