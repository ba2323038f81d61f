/** Native git pushes to a real server: each changed document becomes a draft or is refused in words. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TokenScope } from "#core/tokens/scopes.ts";
import { git, gitFolder, runGit } from "../../test/git.ts";
import { pngOf } from "../../test/images.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

describeServer("pushes to the repository", (server) => {
  let dir = "";
  let remove = () => {};
  beforeEach(() => ({ dir, remove } = gitFolder()));
  afterEach(() => remove());

  const addressOf = async (company: Company, user: TestUser, scopes: TokenScope[] = ["repo:read", "repo:push"]) => {
    const { token } = await user.client.tokens.create({ body: { name: "git", scopes } });
    const slug = (await server().running.services.companies.get(company.id))?.slug ?? "";
    return `http://x:${token}@${new URL(server().url).host}/git/${slug}.git`;
  };
  const publish = async (user: TestUser, title: string, markdown: string) => {
    const { id } = await user.client.sops.create({ body: { title, description: "D", markdown } });
    return (await user.client.sops.publish({ params: { id }, body: {} })).id;
  };
  const clone = async (company: Company, user: TestUser, name = user.username, scopes?: TokenScope[]) => {
    await git(dir, "clone", "-q", await addressOf(company, user, scopes), name);
    return path.join(dir, name);
  };
  const write = (at: string, file: string, text: string | Buffer) => {
    mkdirSync(path.dirname(path.join(at, file)), { recursive: true });
    writeFileSync(path.join(at, file), text);
  };
  const edit = (at: string, file: string, from: string, to: string) => {
    const text = readFileSync(path.join(at, file), "utf8");
    expect(text).toContain(from);
    write(at, file, text.replace(from, to));
  };
  const commit = async (at: string, message = "Change") => {
    await git(at, "add", "-A");
    await git(at, "commit", "-q", "--allow-empty", "-m", message);
  };
  /** What the user reads, without git's own lines. */
  const push = async (at: string, ...refs: string[]) => {
    const { code, stderr } = await runGit(at, "push", "origin", ...(refs.length > 0 ? refs : ["HEAD:refs/for/main"]));
    const remote = stderr.split("\n").flatMap((line) => /^remote: (.*?) *$/.exec(line)?.[1] ?? []);
    return { code, stderr, remote: remote.filter(Boolean) };
  };
  const audited = async (company: Company) =>
    (await server().db.forCompany(company.id).collection("audit_logs").find({ action: "repository.push" })).map(
      ({ changes }) => changes,
    );
  const titles = async (user: TestUser) =>
    (await user.client.sops.list({ query: {} })).data.map(({ title }) => title).sort();
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
    rmSync(path.join(at, "sops/uncategorized/sop-0002-oil-the-mill.md"));
    await commit(at, "Rinse twice\n\nOnce was not enough.");

    const { code, stderr, remote } = await push(at);
    const { url } = server();
    expect(code).toBe(1);
    expect(stderr).toContain("1 of 3 documents were not taken");
    expect(remote).toEqual([
      expect.stringMatching(/^sops\/uncategorized\/broken\.md: refused\. .*line 2/),
      `sops/uncategorized/sharpen.md: new draft SOP-0003`,
      `  ${url}/sop/SOP-0003`,
      `${rinse}: draft v2 on top of v1 of SOP-0001`,
      `  ${url}/sop/SOP-0001`,
      "README.md: left out, it is not a document below sops/, templates/ or archive/",
      "sops/uncategorized/sop-0002-oil-the-mill.md: kept. A push deletes nothing: archive the SOP in the browser",
      `  ${url}/sop/${stays}`,
    ]);
    const sop = await manager.client.sops.get({ params: { id } });
    expect([sop.version, sop.markdown]).toEqual([2, "Rinse it twice.\n"]);
    const stored = await server()
      .db.forCompany(company.id)
      .collection("sop_versions")
      .findOne({ sopId: id, version: 2 });
    expect(stored?.changeNote).toBe("Rinse twice\n\nOnce was not enough.");
    expect(await audited(company)).toEqual([
      { refs: ["refs/for/main"], created: 1, updated: 1, unchanged: 0, conflicts: 0, refused: 1 },
    ]);
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
      1,
      [
        `${rinse}: conflict. The SOP is at version 2, the file is based on version 1`,
        `  ${server().url}/sop/SOP-0001`,
        "Nothing was overwritten. To merge what is in conflict: sop pull, then sop push",
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
      "conflict. The SOP is at version 4, the file is based on version 1",
    );

    await other.client.sops.update({ params: { id }, body: { markdown: "Rinse it never.\n" } });
    expect(await further("four", "five")).toContain(
      "conflict. The SOP is at version 5, the file is based on version 4",
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
    const address = await addressOf(company, manager, ["repo:push"]);
    expect(await to(address)).toBe("taken");
    await admin.client.companyUsers.update({ params: { id: manager.id }, body: { status: "suspended" } });
    expect(await to(address)).toContain("Authentication failed");
  });

  test("takes nothing of a push with links, submodules, large files or the server's own files", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    const hostile: Record<string, [() => Promise<unknown> | void, string]> = {
      link: [() => symlinkSync("/etc/passwd", path.join(at, "sops/link.md")), "symbolic links are not taken"],
      submodule: [
        async () => {
          const head = (await git(at, "rev-parse", "HEAD")).trim();
          await git(at, "update-index", "--add", "--cacheinfo", `160000,${head},sops/module`);
        },
        "submodules are not taken",
      ],
      large: [() => write(at, "assets/a.bin", Buffer.alloc(100 * 1024 * 1024)), "the file is larger than 5 MiB"],
      own: [() => write(at, ".sop/repo.yml", "format: 2\n"), "the server alone writes .sop"],
      path: [() => write(at, "sops/a\u001bb.md", "Text\n"), "its path has characters that are not taken"],
    };
    const before = await git(at, "ls-remote", "origin");
    for (const [name, [make, words]] of Object.entries(hostile)) {
      await git(at, "reset", "-q", "--hard", "origin/main");
      await make();
      write(at, "sops/uncategorized/sharpen.md", '---\ntitle: "Sharpen the mill"\n---\n\nSharpen it.\n');
      if (name === "submodule") await git(at, "add", "sops/uncategorized");
      else await git(at, "add", "-A");
      await git(at, "commit", "-q", "-m", name);
      const { code, remote } = await push(at);
      expect([name, code, remote.join("\n")]).toEqual([name, 1, expect.stringContaining(words)]);
      expect(remote).toContain("Nothing was taken.");
    }
    expect(await titles(manager)).toEqual(["Rinse the mill"]);
    expect(await git(at, "ls-remote", "origin")).toBe(before);
    expect(readdirSync(path.join(server().dataDir, "pushes"))).toEqual([]);
  });

  /** What the server answers to a body that no git would send. */
  const post = async (company: Company, user: TestUser, body: Buffer) => {
    const address = new URL(await addressOf(company, user));
    const answer = await server().send({
      method: "POST",
      path: `${address.pathname}/git-receive-pack`,
      headers: {
        authorization: `Bearer ${address.password}`,
        "content-type": "application/x-git-receive-pack-request",
      },
      body,
    });
    return [answer.status, answer.body.replaceAll(/[^\x20-\x7e\n]/g, "")] as const;
  };
  const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, "0")}${text}`;
  const asked = (oid: string, pack: Buffer) =>
    Buffer.concat([
      Buffer.from(`${line(`${"0".repeat(40)} ${oid} refs/for/main\0report-status side-band-64k`)}0000`),
      pack,
    ]);
  const packOf = (objects: number, data: Buffer) => {
    const head = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
    head.writeUInt32BE(objects, 8);
    const whole = Buffer.concat([head, data]);
    return Buffer.concat([whole, createHash("sha1").update(whole).digest()]);
  };

  test("takes no damaged pack, no loop of differences, no bomb and no path of git's own", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    const before = await git(at, "ls-remote", "origin");
    edit(at, rinse, "Rinse it.", "Rinse it twice.");
    await commit(at);
    const head = (await git(at, "rev-parse", "HEAD")).trim();
    const name = await git(at, "-c", "alias.p=!git pack-objects --all --no-reuse-delta -q ../p < /dev/null", "p");
    const good = readFileSync(path.join(dir, `p-${name.trim()}.pack`));
    const flipped = Buffer.from(good);
    flipped[good.length >> 1] = (flipped[good.length >> 1] ?? 0) ^ 1;
    const wrongSum = Buffer.from(good);
    wrongSum[good.length - 1] = (wrongSum[good.length - 1] ?? 0) ^ 1;
    const empty = deflateSync(Buffer.from("\x00\x00", "latin1"));
    // its base is itself
    const loop = packOf(1, Buffer.concat([Buffer.from([0x62, 0x00]), empty]));
    const [huge, zero] = [deflateSync(Buffer.from([0x00, 0xff, 0xff, 0xff, 0xff, 0x0f])), deflateSync(Buffer.alloc(0))];
    // a difference that claims to become 4 GB
    const bomb = packOf(2, Buffer.concat([Buffer.from([0x30]), zero, Buffer.from([0x66, 0x01 + zero.length]), huge]));
    for (const [what, pack] of Object.entries({ flipped, wrongSum, loop, bomb, short: good.subarray(0, 200) })) {
      const [status, said] = await post(company, manager, asked(head, pack));
      expect([what, status, said]).toEqual([what, 200, expect.stringMatching(/unpack The pack can't/)]);
      expect(said).toContain("ng refs/for/main");
    }
    const [, many] = await post(company, manager, asked(head, packOf(4_000_000_000, Buffer.alloc(0))));
    expect(many).toContain("At most 50,000 are taken at once");
    const [, absent] = await post(company, manager, asked("1".repeat(40), packOf(0, Buffer.alloc(0))));
    expect(absent).toContain("The pushed commit is not there");
    expect((await post(company, manager, Buffer.from("zzzz nonsense")))[0]).toBe(400);
    expect(await post(company, manager, Buffer.from("0000"))).toEqual([200, ""]);

    const blob = (await git(at, "rev-parse", `HEAD:${rinse}`)).trim();
    const treeOf = async (entries: string) => {
      writeFileSync(path.join(dir, "tree"), entries);
      return (await git(at, "-c", "alias.t=!git mktree < ../tree", "t")).trim();
    };
    const commitOf = async (tree: string) => (await git(at, "commit-tree", tree, "-p", "HEAD", "-m", "x")).trim();
    for (const hidden of [".git", ".GIT", "git~1", ".g\u200cit", ".git ."]) {
      const inner = await treeOf(`100644 blob ${blob}\tconfig\n`);
      const { code, stderr } = await push(
        at,
        `${await commitOf(await treeOf(`040000 tree ${inner}\t${hidden}\n`))}:refs/for/main`,
      );
      expect([hidden, code, stderr]).toEqual([hidden, 1, expect.stringContaining("unpacker error")]);
    }
    const names = Array.from({ length: 2_001 }, (_, index) => `100644 blob ${blob}\t${index}.md\n`);
    const wide = await treeOf(names.join(""));
    const tooMany = await push(at, `${await commitOf(wide)}:refs/for/main`);
    expect(tooMany.stderr).toContain("changes more than 2,000 files");
    // ten folders of ten folders …: 10^10 files in 11 objects
    let deep = blob;
    for (let level = 0; level < 10; level++) {
      const kind = level === 0 ? "100644 blob" : "040000 tree";
      deep = await treeOf(Array.from({ length: 10 }, (_, index) => `${kind} ${deep}\t${index}\n`).join(""));
    }
    const exploding = await push(at, `${await commitOf(deep)}:refs/for/main`);
    expect(exploding.stderr).toContain("changes more than 2,000 files");
    const orphan = (await git(at, "commit-tree", "HEAD^{tree}", "-m", "x")).trim();
    expect((await push(at, `${orphan}:refs/for/main`)).remote).toContain(
      "  git fetch origin && git rebase origin/main",
    );
    expect(await titles(manager)).toEqual(["Rinse the mill"]);
    expect(await git(at, "ls-remote", "origin")).toBe(before);
    expect(readdirSync(path.join(server().dataDir, "pushes"))).toEqual([]);
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
    ).toBe(`${manager.name}\n`);
    expect((await manager.client.sops.get({ params: { id } })).version).toBe(2);
  });
});
