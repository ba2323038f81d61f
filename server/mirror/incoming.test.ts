/** Changes merged at a second git host come back as proposals, and what became of them goes there. */
import { createHmac, randomBytes } from "node:crypto";
import path from "node:path";
import { request } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readdirSync, rmSync, symlinkSync } from "node:fs";
import { git, gitFolder } from "../../test/git.ts";
import { startGitHost, type GitHost } from "../../test/git-host.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { describeServer, json, type Company } from "../../test/server.ts";
import type { MirrorProvider } from "#core/mirror/providers.ts";
import { findGit } from "../repository/git-process.ts";
import { fetchRef } from "./fetch.ts";
import { debounceMs, pollMs } from "./job.ts";

const env: Record<string, string> = {};
let host: GitHost;
beforeAll(async () => {
  host = await startGitHost();
  env["MIRROR_HOSTS"] = host.url;
});
afterAll(() => host.stop());

const main = "refs/heads/main";
const proposals = "refs/heads/proposals";
const rinse = "sops/uncategorized/sop-0001-rinse-the-mill.md";

describeServer(
  "the incoming branch of a mirror",
  (server) => {
    let dir = "";
    let remove = () => {};
    let statuses: { path: string; token: string; body: Record<string, string> }[] = [];
    beforeEach(() => ({ dir, remove } = gitFolder()));
    afterEach(() => {
      remove();
      host.answer = null;
      statuses = [];
    });
    const { publish, write, edit, commit } = gitWriter(server, () => dir);
    const run = () => server().running.mirrors.run();
    const later = async (ms = debounceMs) => {
      await run();
      server().clock.advance(ms);
      return run();
    };
    const audited = async (company: Company, action: string) =>
      (await server().db.forCompany(company.id).collection("audit_logs").find({ action })).map(
        ({ changes }) => changes,
      );

    /** The API of the host, which takes the status of commits. */
    const statusesOf = (name: string) => statuses.filter(({ path: of }) => of.includes(name));
    const takeStatuses = () => {
      host.answer = async (request, response) => {
        if (!request.url?.startsWith("/api/")) return false;
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const { authorization, "private-token": own } = request.headers;
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
        statuses.push({ path: request.url ?? "", token: String(authorization ?? own), body });
        response.writeHead(201).end("{}");
        return true;
      };
    };

    const mirrored = async (provider: MirrorProvider = "gitea") => {
      const company = await server().company();
      const admin = await company.user("company_admin");
      const name = `mirror-${company.id}`;
      const url = await host.create(name);
      await publish(admin, "Rinse the mill", "Rinse it.\n");
      await publish(admin, "Oil the mill", "Oil it.\n");
      const body = { url, username: "mirror", token: host.token, provider, incoming: "proposals" };
      await admin.client.mirror.update({ body });
      await run();
      await git(dir, "clone", "-q", host.withToken(url), company.id);
      const at = path.join(dir, company.id);
      await git(at, "checkout", "-q", "proposals");
      return { company, admin, name, url, at };
    };
    /** Commits, and pushes as a merge of a pull request would. */
    const merge = async (at: string, message = "Change it there") => {
      await commit(at, message);
      await git(at, "push", "-q", "origin", "HEAD:proposals");
      return (await git(at, "rev-parse", "HEAD")).trim();
    };
    const head = async (company: Company) => (await server().running.services.repositories.head(company.id)).main;

    test("begins at main, and follows it while it has nothing of others", async () => {
      const { company, admin, name } = await mirrored();
      expect((await host.refs(name))[proposals]).toBe(await head(company));
      await publish(admin, "Polish the mill", "Polish it.\n");
      await later();
      expect((await host.refs(name))[proposals]).toBe(await head(company));
      expect(await admin.client.mirror.get()).toMatchObject({
        settings: { incoming: "proposals" },
        incoming: { taken: null, open: 0, problem: null },
      });
    });

    test("makes proposals of changed and new documents, and drafts of none", async () => {
      takeStatuses();
      const { company, admin, name, at } = await mirrored();
      edit(at, rinse, "Rinse it.", "Rinse it twice.");
      write(at, "sops/uncategorized/grind.md", '---\ntitle: "Grind"\n---\n\nGrind it.\n');
      write(at, "sops/uncategorized/broken.md", '---\ntitle: "Broken\n---\n\nText.\n');
      const theirs = await merge(at, "Rinse twice\n\nOnce is not enough.");
      await later(pollMs);

      const { data } = await admin.client.proposals.list({ query: {} });
      expect(data.map((one) => [one.path, one.source, one.isNew, one.baseVersion, one.comment]).sort()).toEqual([
        ["sops/uncategorized/grind.md", "mirror", true, null, "Rinse twice\n\nOnce is not enough.\n\nBy Ada"],
        [rinse, "mirror", false, 1, "Rinse twice\n\nOnce is not enough.\n\nBy Ada"],
      ]);
      expect((await admin.client.sops.list({ query: { status: "draft" } })).data).toEqual([]);
      const { incoming } = await admin.client.mirror.get();
      expect(incoming).toMatchObject({ open: 2, taken: { commit: theirs, proposed: 2, refused: 1 } });
      expect(incoming?.taken?.lines.join("\n")).toMatch(/broken\.md: refused/);
      expect(await audited(company, "mirror.proposed")).toEqual([
        { ref: proposals, commit: theirs, proposed: 2, refused: 1 },
      ]);
      // the branch keeps what is not decided
      expect((await host.refs(name))[proposals]).toBe(theirs);
      expect(statusesOf(name).map(({ path: of, token, body }) => [of, token, body["state"]])).toEqual([
        [`/api/v1/repos/${name}/statuses/${theirs}`, `token ${host.token}`, "failure"],
      ]);

      await later(pollMs);
      expect((await admin.client.proposals.list({ query: {} })).data).toHaveLength(2);
      expect(await audited(company, "mirror.proposed")).toHaveLength(1);
    });

    test("proposes to archive what others delete there", async () => {
      const { admin, at } = await mirrored("other");
      rmSync(path.join(at, rinse));
      await merge(at, "The mill is gone");
      await later(pollMs);
      const [{ id = "", ...found } = {}] = (await admin.client.proposals.list({ query: {} })).data;
      expect(found).toMatchObject({ kind: "archive", source: "mirror", sop: { number: "SOP-0001" }, mayDecide: true });
      await admin.client.proposals.accept({ params: { id } });
      await later(pollMs);
      await git(at, "pull", "-q", "--ff-only", "origin", "proposals");
      expect(await git(at, "ls-files", "archive", "sops")).toMatch(/^archive\/.*sop-0001.*\nsops\/.*sop-0002.*\n$/);
    });

    test("has the published texts again once all is decided, without force, and writes the status back", async () => {
      takeStatuses();
      const { company, admin, name, at } = await mirrored("gitlab");
      edit(at, rinse, "Rinse it.", "Rinse it twice.");
      const theirs = await merge(at);
      await later(pollMs);
      const [proposal] = (await admin.client.proposals.list({ query: {} })).data;
      const api = `/api/v4/projects/${name}/statuses/${theirs}`;
      expect(statusesOf(name)).toEqual([
        {
          path: api,
          token: host.token,
          body: {
            state: "pending",
            name: "sopwright",
            description: "1 proposal to decide",
            target_url: `${server().url}/proposals/${proposal?.number}`,
          },
        },
      ]);

      await admin.client.proposals.accept({ params: { id: proposal?.id ?? "" } });
      const id = proposal?.sop?.id ?? "";
      await admin.client.sops.publish({ params: { id }, body: {} });
      await later();
      expect(
        statusesOf(name)
          .slice(1)
          .map(({ path: of, body }) => [of, body["state"]]),
      ).toEqual([[api, "success"]]);
      const ours = await head(company);
      expect((await host.refs(name))[main]).toBe(ours);
      await git(at, "fetch", "-q", "origin");
      const parents = (await git(at, "log", "-1", "--format=%P", "origin/proposals")).trim().split(" ");
      expect(parents).toEqual([theirs, ours]);
      expect(await git(at, "diff", "--stat", "origin/main", "origin/proposals")).toBe("");

      // a branch that others made from main before that
      await git(at, "checkout", "-q", "-B", "later", "origin/main");
      edit(at, rinse, "Rinse it twice.", "Rinse it three times.");
      await commit(at);
      await git(at, "checkout", "-q", "-B", "proposals", "origin/proposals");
      await git(at, "merge", "-q", "--no-edit", "later");
      await git(at, "push", "-q", "origin", "proposals");
      await later(pollMs);
      const open = (await admin.client.proposals.list({ query: {} })).data;
      expect(open.map((one) => [one.path, one.baseVersion])).toEqual([[rinse, 2]]);
    });

    test("loses no change when two are merged before the first is decided", async () => {
      const { admin, at } = await mirrored();
      edit(at, rinse, "Rinse it.", "Rinse it twice.");
      await merge(at);
      await later(pollMs);
      edit(at, rinse, "Rinse it twice.", "Rinse it twice.\n\nDry it.");
      await merge(at);
      await later(pollMs);
      const { data } = await admin.client.proposals.list({ query: { state: "all" } });
      expect(data.map(({ state }) => state).sort()).toEqual(["open", "superseded"]);
      const open = data.find(({ state }) => state === "open");
      const shown = await admin.client.proposals.get({ params: { id: open?.id ?? "" } });
      expect(shown.proposed.markdown).toBe("Rinse it twice.\n\nDry it.\n");
    });

    test("doesn't propose again what was dismissed, and says so at the remote", async () => {
      takeStatuses();
      const { admin, name, at } = await mirrored("github");
      edit(at, rinse, "Rinse it.", "Rinse it twice.");
      const theirs = await merge(at);
      await later(pollMs);
      const [proposal] = (await admin.client.proposals.list({ query: {} })).data;
      await admin.client.proposals.dismiss({ params: { id: proposal?.id ?? "" }, body: { reason: "Once is enough" } });
      await run();
      expect(statusesOf(name).map(({ path: of, token, body }) => [of, token, body["state"]])).toEqual([
        [`/api/v3/repos/${name}/statuses/${theirs}`, `Bearer ${host.token}`, "pending"],
        [`/api/v3/repos/${name}/statuses/${theirs}`, `Bearer ${host.token}`, "failure"],
      ]);
      await git(at, "pull", "-q", "--no-rebase");
      edit(at, "sops/uncategorized/sop-0002-oil-the-mill.md", "Oil it.", "Oil it well.");
      await merge(at);
      await later(pollMs);
      const { data } = await admin.client.proposals.list({ query: {} });
      expect(data.map((one) => one.path)).toEqual(["sops/uncategorized/sop-0002-oil-the-mill.md"]);
    });

    test("takes nothing of a commit with a symbolic link, and says why", async () => {
      takeStatuses();
      const { admin, name, at } = await mirrored();
      edit(at, rinse, "Rinse it.", "Rinse it twice.");
      symlinkSync("/etc/passwd", path.join(at, "sops/passwd.md"));
      await merge(at);
      await later(pollMs);
      expect((await admin.client.proposals.list({ query: {} })).data).toEqual([]);
      const { incoming } = await admin.client.mirror.get();
      expect(incoming?.taken).toMatchObject({ proposed: 0, refused: 1 });
      expect(incoming?.taken?.lines.join()).toContain("symbolic links are not taken");
      expect(statusesOf(name).map(({ body }) => body["state"])).toEqual(["failure"]);
    });

    test("goes on where the remote takes neither status nor merge", async () => {
      const { admin, name, at } = await mirrored();
      host.answer = (request, response) => {
        if (!request.url?.startsWith("/api/")) return false;
        response.writeHead(403).end();
        return true;
      };
      edit(at, rinse, "Rinse it.", "Rinse it twice.");
      await merge(at);
      await later(pollMs);
      const mirror = await admin.client.mirror.get();
      expect(mirror.state).toBe("current");
      expect(mirror.incoming?.problem).toBe("The token can't write the status of commits");
      const [proposal] = (await admin.client.proposals.list({ query: {} })).data;
      await host.git(name, "config", "transfer.hideRefs", proposals);
      await admin.client.proposals.dismiss({ params: { id: proposal?.id ?? "" }, body: { reason: "No" } });
      await publish(admin, "Polish the mill", "Polish it.\n");
      await later();
      expect(await admin.client.mirror.get()).toMatchObject({ state: "current", lag: 0 });
    });

    test("takes the commits that stopped the mirror as proposals, and the reset keeps them", async () => {
      const { company, admin, name, url, at } = await mirrored();
      await git(at, "checkout", "-q", "main");
      edit(at, rinse, "Rinse it.", "Rinse it twice.");
      await commit(at, "Merged by mistake");
      await git(at, "push", "-q", "origin", "main");
      await expect(admin.client.mirror.take()).rejects.toMatchObject({ code: "conflict" });
      await admin.client.mirror.check();
      await run();
      const stopped = await admin.client.mirror.get();
      expect(stopped.state).toBe("stopped");
      expect(await admin.client.mirror.take()).toMatchObject({ state: "stopped", taking: true });
      await run();
      expect(await admin.client.mirror.get()).toMatchObject({
        state: "stopped",
        taking: false,
        stoppedTaken: { ref: main, proposed: 1, refused: 0 },
      });
      expect((await admin.client.proposals.list({ query: {} })).data.map((one) => one.path)).toEqual([rinse]);
      await host.git(name, "config", "receive.denyNonFastForwards", "false");
      await git(at, "fetch", "-q", "origin", "proposals");
      const [, ...args] = (stopped.diverged[0]?.command ?? "").split(" ");
      await git(at, ...args.map((word) => (word === url ? host.withToken(url) : word)));
      await admin.client.mirror.check();
      await run();
      expect(await admin.client.mirror.get()).toMatchObject({ state: "current", stoppedTaken: null });
      expect((await host.refs(name))[main]).toBe(await head(company));
    });

    test("stops taking when the administrator who set it up is gone", async () => {
      const { company, admin, at } = await mirrored();
      const second = await company.user("company_admin");
      await server()
        .db.collection("users")
        .updateOne({ _id: admin.id }, { $set: { status: "suspended" } });
      edit(at, rinse, "Rinse it.", "Rinse it twice.");
      await merge(at);
      await later(pollMs);
      expect(await second.client.mirror.get()).toMatchObject({
        state: "current",
        incoming: { taken: null, problem: expect.stringContaining("can't sign in") },
      });
      const { settings } = await second.client.mirror.get();
      const { url = "", username = "", incoming = "" } = settings ?? {};
      await second.client.mirror.update({ body: { url, username, incoming } });
      await run();
      expect((await second.client.proposals.list({ query: {} })).data).toHaveLength(1);
    });

    test("is looked at once the remote calls with a valid signature, and not otherwise", async () => {
      const { company, admin, at } = await mirrored();
      const { secret, url: hook } = await admin.client.mirror.secret();
      const slug = (await server().running.services.companies.get(company.id))?.slug ?? "";
      expect(hook).toBe(`${server().url}/git/${slug}.git/webhook`);
      expect(JSON.stringify(await server().db.collection("mirrors").find({}))).not.toContain(secret);
      edit(at, rinse, "Rinse it.", "Rinse it twice.");
      await merge(at);
      const body = JSON.stringify({ ref: proposals });
      const hmac = (key: string) => createHmac("sha256", key).update(body).digest("hex");
      const call = async (headers: Record<string, string>, of = new URL(hook).pathname) =>
        (await server().send({ method: "POST", path: of, headers: { ...json, origin: "", ...headers }, body })).status;
      const taken = async () => (await admin.client.proposals.list({ query: {} })).data.length;

      for (const wrong of [
        {},
        { "x-hub-signature-256": `sha256=${hmac("another")}` },
        { "x-hub-signature-256": "sha256=" },
        { "x-gitea-signature": hmac("another") },
        { "x-gitlab-token": "another" },
        { "x-gitlab-token": hmac(secret) },
      ]) {
        expect([wrong, await call(wrong as Record<string, string>)]).toEqual([wrong, 404]);
      }
      expect(await call({ "x-gitlab-token": secret }, "/git/unknown.git/webhook")).toBe(404);

      // a call without its body waits alike, whether the company has a mirror or is there at all
      const { slug: without = "" } =
        (await server()
          .db.collection("companies")
          .findOne({ _id: (await server().company()).id })) ?? {};
      const { hostname, port } = new URL(server().url);
      const open = [slug, without, "unknown"].map((of) => {
        const headers = { "x-gitlab-token": "another", "content-length": "70000" };
        const asked = request({ hostname, port, method: "POST", path: `/git/${of}.git/webhook`, headers });
        asked.on("error", () => undefined);
        asked.flushHeaders();
        return asked;
      });
      await expect.poll(() => server().running.services.shares.bodies.load().running, { timeout: 10_000 }).toBe(3);
      for (const asked of open) asked.destroy();
      await run();
      expect(await taken()).toBe(0);
      expect(await call({ "x-hub-signature-256": `sha256=${hmac(secret)}` })).toBe(202);
      await run();
      expect(await taken()).toBe(1);
      expect(await call({ "x-gitlab-token": secret })).toBe(202);
      expect(await call({ "x-forgejo-signature": hmac(secret) })).toBe(202);
      const { secret: next } = await admin.client.mirror.secret();
      expect(next).not.toBe(secret);
      expect(await call({ "x-gitlab-token": secret })).toBe(404);
    });

    test("is not fetched beyond a size, and what was fetched is gone afterwards", async () => {
      const { company, name, url, at } = await mirrored();
      write(at, "sops/uncategorized/images/noise.png", randomBytes(600_000));
      await merge(at);
      const { services } = server().running;
      const mirror = await services.db.collection("mirrors").findOne({ _id: company.id });
      if (!mirror) throw new Error(`no mirror at ${name}`);
      const remote = { url, username: "x", token: host.token };
      const signal = AbortSignal.timeout(60_000);
      const pass = { services, git: findGit(), mirror, remote, signal };
      await expect(fetchRef(pass, proposals, 500_000)).rejects.toThrow("that the server doesn't have");
      const fetched = await fetchRef(pass, proposals);
      expect(fetched.head).toBe((await host.refs(name))[proposals]);
      await fetched.remove();
      expect(readdirSync(path.join(server().dataDir, "mirrors"))).toEqual([]);
    });

    test("has a name of its own", async () => {
      const { admin, url } = await mirrored();
      for (const incoming of ["main", "history", "a..b", "-x", "a b", "a:b", "refs/../x", "@{u}", "x.lock/"]) {
        const body = { url, username: "x", incoming };
        await expect(admin.client.mirror.update({ body })).rejects.toMatchObject({ code: "invalid_input" });
      }
    });
  },
  { env },
);
