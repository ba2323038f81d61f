/** Native git and isomorphic-git clone and fetch from a real server. */
import { readdirSync, readFileSync } from "node:fs";
import * as fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { randomBytes } from "node:crypto";
import * as isomorphic from "isomorphic-git";
import http from "isomorphic-git/http/node";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TokenScope } from "#core/tokens/scopes.ts";
import { git, gitFolder, runGit } from "../../test/git.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

describeServer("the repository over HTTP", (server) => {
  let dir = "";
  let remove = () => {};
  beforeEach(() => ({ dir, remove } = gitFolder()));
  afterEach(() => remove());

  const slugOf = async ({ id }: Company) => (await server().running.services.companies.get(id))?.slug ?? "";
  const tokenOf = async (user: TestUser, scopes: TokenScope[] = ["repo:read"]) =>
    (await user.client.tokens.create({ body: { name: "git", scopes } })).token;
  const addressOf = async (company: Company, user: TestUser, scopes?: TokenScope[]) => {
    const { host } = new URL(server().url);
    return `http://x:${await tokenOf(user, scopes)}@${host}/git/${await slugOf(company)}.git`;
  };
  const publish = async (user: TestUser, title: string, markdown: string) => {
    const { id } = await user.client.sops.create({ body: { title, description: "D", markdown } });
    return (await user.client.sops.publish({ params: { id }, body: {} })).id;
  };
  const draft = async (user: TestUser, title: string, markdown: string) =>
    (await user.client.sops.create({ body: { title, description: "D", markdown } })).id;
  const filesOf = async (clone: string, branch: string) =>
    (await git(path.join(dir, clone), "ls-tree", "-r", "--name-only", `origin/${branch}`))
      .split("\n")
      .filter((name) => /^sops\/.*\.md$/.test(name))
      .map((name) => path.basename(name, ".md"));
  const audited = async (company: Company) =>
    (await server().db.forCompany(company.id).collection("audit_logs").find({}))
      .filter(({ action }) => action.startsWith("repository."))
      .map(({ action, changes }) => [action, ...((changes as { branches?: string[] }).branches ?? [])].join(" "))
      .sort();

  test("is cloned and fetched by native git, with every version", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const id = await publish(manager, "Rinse the mill", "Rinse it.\n");
    await draft(manager, "Oil the mill", "Oil it.\n");
    const address = await addressOf(company, manager);
    await git(dir, "clone", "-q", address, "mill");
    expect(await filesOf("mill", "main")).toEqual(["sop-0001-rinse-the-mill"]);
    expect(await filesOf("mill", "history")).toEqual(["sop-0001-rinse-the-mill", "sop-0002-oil-the-mill"]);
    expect(await git(path.join(dir, "mill"), "tag")).toBe("sop-0001/v1\n");
    expect(await git(path.join(dir, "mill"), "fsck", "--strict")).toBe("");

    await manager.client.sops.update({ params: { id }, body: { markdown: "Rinse it twice.\n" } });
    await git(path.join(dir, "mill"), "fetch", "-q");
    expect(await git(path.join(dir, "mill"), "log", "-1", "--format=%s", "origin/history")).toBe(
      "save(SOP-0001): Rinse the mill (v2)\n",
    );
    expect(await audited(company)).toEqual(["repository.clone main history", "repository.fetch history"]);
  });

  test("is cloned shallow, in part, and with one branch", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const id = await publish(manager, "Rinse the mill", "Rinse it.\n");
    for (const times of ["twice", "thrice"])
      await manager.client.sops.update({ params: { id }, body: { markdown: `Rinse it ${times}.\n` } });
    const address = await addressOf(company, manager);
    await git(dir, "clone", "-q", "--depth=1", "--branch=history", address, "shallow");
    expect(await git(path.join(dir, "shallow"), "rev-list", "--count", "HEAD")).toBe("1\n");
    await git(path.join(dir, "shallow"), "fetch", "-q", "--unshallow");
    expect(Number(await git(path.join(dir, "shallow"), "rev-list", "--count", "HEAD"))).toBeGreaterThan(3);

    await git(dir, "clone", "-q", "--single-branch", address, "single");
    expect(await git(path.join(dir, "single"), "branch", "-r")).not.toContain("history");

    await git(dir, "clone", "-q", "--filter=blob:none", "--no-checkout", "--branch=history", address, "partial");
    const missing = await git(path.join(dir, "partial"), "rev-list", "--objects", "--missing=print", "HEAD");
    expect(missing).toMatch(/^\?/m);
    await git(path.join(dir, "partial"), "checkout", "-q", "HEAD~1");
    expect(
      await git(path.join(dir, "partial"), "show", "HEAD:sops/uncategorized/sop-0001-rinse-the-mill.md"),
    ).toContain("Rinse it twice.");
  });

  test("is cloned by isomorphic-git", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    const url = `${server().url}/git/${await slugOf(company)}.git`;
    const token = await tokenOf(manager);
    await isomorphic.clone({ fs, http, dir, url, onAuth: () => ({ username: "x", password: token }) });
    expect(readdirSync(path.join(dir, "sops/uncategorized"))).toEqual(["sop-0001-rinse-the-mill.md"]);
  });

  test("gives users who can't read everything what they can read, without history", async () => {
    const company = await server().company();
    const [admin, manager, editor, viewer] = [
      await company.user("company_admin"),
      await company.user("manager"),
      await company.user("editor"),
      await company.user("viewer"),
    ];
    const id = await publish(manager, "Rinse the mill", "Rinse it in January.\n");
    await manager.client.sops.update({ params: { id }, body: { markdown: "Rinse it in secret.\n" } });
    await draft(manager, "Oil the mill", "Oil it.\n");
    const secret = await publish(manager, "Sell the mill", "Sell it.\n");
    const before = await addressOf(company, manager);
    await git(dir, "clone", "-q", before, "before");
    expect(await filesOf("before", "main")).toContain("sop-0003-sell-the-mill");

    await admin.client.sops.restrict({ params: { id: secret }, body: { restricted: true } });
    await git(dir, "clone", "-q", await addressOf(company, admin), "admin");
    expect(await filesOf("admin", "main")).toContain("sop-0003-sell-the-mill");

    await git(dir, "clone", "-q", await addressOf(company, editor), "editor");
    expect(await filesOf("editor", "main")).toEqual(["sop-0001-rinse-the-mill"]);
    expect(await filesOf("editor", "history")).toEqual(["sop-0001-rinse-the-mill", "sop-0002-oil-the-mill"]);

    await git(dir, "clone", "-q", await addressOf(company, viewer), "viewer");
    expect(await git(path.join(dir, "viewer"), "branch", "-r")).not.toContain("history");
    expect(await filesOf("viewer", "main")).toEqual(["sop-0001-rinse-the-mill"]);
    expect(readFileSync(path.join(dir, "viewer/index/uncategorized.md"), "utf8")).toBe(
      "# Uncategorized\n\n- [SOP-0001 Rinse the mill](../sops/uncategorized/sop-0001-rinse-the-mill.md)\n",
    );
    expect(readFileSync(path.join(dir, "viewer/CODEOWNERS"), "utf8")).toMatch(/\nsop-0001-\*\.md @\S+\n$/);
    const all = await git(path.join(dir, "viewer"), "log", "--all", "-p", "--format=%B");
    expect(all).toContain("Rinse it in January.");
    expect(all).not.toMatch(/secret|oil|sell/i);
    const same = async (clone: string) =>
      git(path.join(dir, clone), "rev-parse", "origin/main:sops/uncategorized/sop-0001-rinse-the-mill.md");
    expect(await same("viewer")).toBe(await same("admin"));
    expect(await git(path.join(dir, "viewer"), "fsck", "--strict")).toBe("");
  });

  test("never gives an object that the user's own clone doesn't hold", async () => {
    const company = await server().company();
    const [manager, viewer] = [await company.user("manager"), await company.user("viewer")];
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    await draft(manager, "Oil the mill", "Oil it.\n");
    await git(dir, "clone", "-q", await addressOf(company, manager), "all");
    const hidden = (await git(path.join(dir, "all"), "rev-parse", "origin/history")).trim();
    await git(dir, "clone", "-q", await addressOf(company, viewer), "own");
    const asked = await runGit(path.join(dir, "own"), "fetch", "origin", hidden);
    expect([asked.code, asked.stderr]).toEqual([128, expect.stringContaining("not our ref")]);
  });

  test("needs a token with the scope, of a user of the company who can still sign in", async () => {
    const company = await server().company();
    const [admin, manager] = [await company.user("company_admin"), await company.user("manager")];
    const other = await server().company();
    const stranger = await other.user("manager");
    const address = await addressOf(company, manager);
    const refusal = async (url: string) => {
      const { code, stderr } = await runGit(dir, "ls-remote", url);
      return code === 0 ? "listed" : stderr;
    };
    expect(await refusal(address)).toBe("listed");
    expect(await refusal(address.replace(/x:.*@/, ""))).toContain("could not read Username");
    expect(await refusal(address.replace(/x:.*@/, "x:sop_pat_wrong@"))).toContain("Authentication failed");
    expect(await refusal(await addressOf(company, manager, ["sops:read"]))).toContain("lacks the scope repo:read");
    expect(await refusal(await addressOf(company, stranger))).toContain("not found");
    expect(
      (await manager.send({ path: `/git/${await slugOf(company)}.git/info/refs?service=git-upload-pack` })).status,
    ).toBe(401);
    await admin.client.companyUsers.update({ params: { id: manager.id }, body: { status: "suspended" } });
    expect(await refusal(address)).toContain("Authentication failed");
  });

  test("refuses what git would not send", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = `/git/${await slugOf(company)}.git`;
    const headers = { authorization: `Bearer ${await tokenOf(manager)}` };
    const type = { "content-type": "application/x-git-upload-pack-request" };
    const post = (body: string | Uint8Array, more: Record<string, string> = {}) =>
      server().send({ method: "POST", path: `${at}/git-upload-pack`, headers: { ...headers, ...type, ...more }, body });
    const get = async (path: string) => (await server().send({ path, headers })).status;
    expect(await get(`${at}/info/refs?service=git-upload-pack`)).toBe(200);
    expect(await get(`${at}/info/refs`)).toBe(400);
    for (const path of ["HEAD", "objects/info/packs", "../x.git/info/refs", "config"])
      expect(await get(`${at}/${path}`)).toBe(404);
    expect((await post("", { "content-type": "text/plain" })).status).toBe(415);
    expect((await post(gzipSync(Buffer.alloc(64 * 1024 * 1024)), { "content-encoding": "gzip" })).status).toBe(400);
    expect((await post("zzzz nonsense")).body).not.toContain("PACK");
    expect(await get(`${at}/info/refs?service=git-upload-pack`)).toBe(200);
  });

  /** Flips a byte of the largest file of its objects: of a pack, or of the text below. */
  const flipLargest = (gitdir: string) => {
    const files = fs.globSync(path.join(gitdir, "objects/{pack/*.pack,??/*}"));
    const [largest = ""] = files.toSorted((a, b) => fs.statSync(b).size - fs.statSync(a).size);
    const bytes = readFileSync(largest);
    bytes[bytes.length >> 1]! ^= 0xff;
    fs.chmodSync(largest, 0o600);
    fs.writeFileSync(largest, bytes);
  };
  /** Most of a pack: no deltas, and hardly compressed. */
  const large = () => `${randomBytes(60_000).toString("hex")}\n`;

  test(
    "a damaged pack costs one clone: its packs are read again, and it is made again",
    { timeout: 60_000 },
    async () => {
      const company = await server().company();
      const manager = await company.user("manager");
      await publish(manager, "Rinse the mill", large());
      const address = await addressOf(company, manager);
      const { repositories, damage } = server().running.services;
      await repositories.drain(company.id);
      await repositories.repack(company.id, true);
      flipLargest(repositories.path(company.id));
      const first = await runGit(dir, "clone", "-q", address, "first");
      expect([first.code, first.stderr]).toEqual([128, expect.stringContaining("index-pack")]);
      const cloned = async () =>
        (await runGit(dir, "clone", "-q", address, `next-${randomBytes(4).toString("hex")}`)).code;
      await expect.poll(cloned, { timeout: 30_000 }).toBe(0);
      expect(await repositories.verify(company.id)).toMatchObject({ ok: true });
      await expect.poll(() => damage.lines()).toEqual([]);
    },
  );

  test("a damaged copy for one user is made again with the next clone", { timeout: 60_000 }, async () => {
    const company = await server().company();
    const [manager, viewer] = [await company.user("manager"), await company.user("viewer")];
    await publish(manager, "Rinse the mill", large());
    const address = await addressOf(company, viewer);
    await git(dir, "clone", "-q", address, "before");
    const copies = () => fs.globSync(path.join(server().running.services.config.dataDir, "clones/*.git"));
    const others = copies();
    // the first copy was looked at: the next look is ten minutes later
    await publish(manager, "Oil the mill", large());
    await git(dir, "ls-remote", address);
    const [copy = ""] = copies().filter((one) => !others.includes(one));
    flipLargest(copy);
    expect((await runGit(dir, "clone", "-q", address, "damaged")).code).toBe(128);
    const cloned = async () =>
      (await runGit(dir, "clone", "-q", address, `next-${randomBytes(4).toString("hex")}`)).code;
    await expect.poll(cloned, { timeout: 30_000 }).toBe(0);
  });

  test("waits for what was saved just before", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    const address = await addressOf(company, manager);
    await Promise.all(Array.from({ length: 20 }, (_, index) => draft(manager, `Draft ${index}`, "Text\n")));
    await git(dir, "clone", "-q", address, "all");
    expect(await filesOf("all", "history")).toHaveLength(20);
    expect(readFileSync(path.join(dir, "all/.sop/repo.yml"), "utf8")).toContain(company.id);
  });
});
