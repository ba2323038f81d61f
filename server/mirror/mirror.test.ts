/** A mirror at a second git host: what it gets, what stops it, and where its token goes. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { closeStreams, openEventStream } from "../../test/event-stream.ts";
import { git, gitFolder, runGit } from "../../test/git.ts";
import { startGitHost, type GitHost } from "../../test/git-host.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { configOf, restoreInto } from "../../test/restored-backup.ts";
import { writeBackup } from "../backup/write.ts";
import { openDatabaseForReading } from "../open-for-reading.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";
import { debounceMs } from "./job.ts";
import { pausedMirrorsId, loadPausedMirrorIds, pauseAllMirrors } from "./paused.ts";

const env: Record<string, string> = {};
const logged: string[] = [];
const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
let host: GitHost;
beforeAll(async () => {
  host = await startGitHost();
  env["MIRROR_HOSTS"] = `${host.url}, ${host.url.replace("http://127.0.0.1", "https://localhost")}`;
});
afterAll(() => host.stop());

const main = "refs/heads/main";
const history = "refs/heads/history";

describeServer(
  "the mirror of a repository",
  (server) => {
    let dir = "";
    let remove = () => {};
    beforeEach(() => ({ dir, remove } = gitFolder()));
    afterEach(() => {
      closeStreams();
      remove();
      host.answer = null;
      host.requests.length = 0;
    });
    const { publish, write, commit } = gitWriter(server, () => dir);
    const audited = async (company: Company, action: string) =>
      server().db.forCompany(company.id).collection("audit_logs").find({ action });
    const run = () => server().running.mirrors.run();
    /** As long as it takes for changes to go together. */
    const later = async (ms = debounceMs) => {
      await run();
      server().clock.advance(ms);
      return run();
    };
    const heads = (company: Company) => server().running.services.repositories.head(company.id);
    const mirrored = async ({ history = false } = {}) => {
      const company = await server().company();
      const admin = await company.user("company_admin");
      const name = `mirror-${company.id}`;
      const url = await host.create(name);
      const body = { url, username: "mirror", token: host.token, history };
      const mirror = await admin.client.mirror.update({ body });
      return { company, admin, name, url, mirror };
    };
    /** A colleague clones the mirror, commits and pushes there. */
    const pushThere = async (url: string, ref = "HEAD:main", message = "Change it there") => {
      await git(dir, "clone", "-q", host.withToken(url), "theirs");
      const at = `${dir}/theirs`;
      write(at, "sops/uncategorized/theirs.md", '---\ntitle: "Theirs"\n---\n\nTheirs.\n');
      await commit(at, message);
      await git(at, "push", "-q", "origin", ref);
      return (await git(at, "rev-parse", "HEAD")).trim();
    };

    test("gets published SOPs and their tags, and drafts only by choice", async () => {
      const { company, admin, name, mirror } = await mirrored();
      expect(mirror).toMatchObject({ state: "waiting", pushedAt: null });
      await publish(admin, "Rinse the mill", "Rinse it.\n");
      await later();
      const ours = await heads(company);
      expect(await host.refs(name)).toEqual({ [main]: ours.main, "refs/tags/sop-0001/v1": ours.main });
      expect(await admin.client.mirror.get()).toMatchObject({
        state: "current",
        lag: 0,
        pushedAt: server().clock.now(),
        pushedMain: ours.main,
        problem: null,
        diverged: [],
      });

      const { url = "", username = "" } = (await admin.client.mirror.get()).settings ?? {};
      await admin.client.mirror.update({ body: { url, username, history: true } });
      await run();
      expect(await host.refs(name)).toMatchObject({ [main]: ours.main, [history]: ours.history });
    });

    test("gets restricted SOPs only by choice, and stops until then", async () => {
      const { admin, name } = await mirrored();
      const restrict = (id: string) => admin.client.sops.restrict({ params: { id }, body: { restricted: true } });
      await publish(admin, "Rinse the mill", "Rinse it.\n");
      await later();
      const before = await host.refs(name);
      const draft = await admin.client.sops.create({
        body: { title: "Secret draft", description: "D", markdown: "Secret.\n" },
      });
      await restrict(draft.id);
      const secret = await publish(admin, "Open the safe", "Left, right.\n");
      await restrict(secret);
      await later();
      expect(await host.refs(name)).toEqual(before);
      expect(await admin.client.mirror.get()).toMatchObject({
        state: "failing",
        problem: "1 restricted SOP would go there. Allow that, or lift the restriction",
        settings: { restricted: false },
      });
      const { url = "", username = "" } = (await admin.client.mirror.get()).settings ?? {};
      await admin.client.mirror.update({ body: { url, username, history: true } });
      await run();
      expect((await admin.client.mirror.get()).problem).toContain("2 restricted SOPs would go there");
      expect(await host.refs(name)).toEqual(before);
      // unpublished since: the text is still in the history of the branch
      await admin.client.sops.unpublish({ params: { id: secret }, body: {} });
      await admin.client.mirror.update({ body: { url, username } });
      await run();
      expect((await admin.client.mirror.get()).problem).toContain("1 restricted SOP would go there");
      expect(await host.refs(name)).toEqual(before);
      await admin.client.mirror.update({ body: { url, username, restricted: true } });
      await run();
      expect(await admin.client.mirror.get()).toMatchObject({ state: "current", settings: { restricted: true } });
      expect(Object.keys(await host.refs(name))).toContain("refs/tags/sop-0003/v1");
    });

    test("gets changes together, half a minute after the first of them", async () => {
      const { company, admin, name } = await mirrored();
      await run();
      const people = [admin, await company.user("editor")];
      const streams = await Promise.all(people.map((user) => openEventStream(server(), user)));
      const before = await host.refs(name);
      await publish(admin, "Rinse the mill", "Rinse it.\n");
      await run();
      await publish(admin, "Oil the mill", "Oil it.\n");
      await later(debounceMs - 1);
      expect(await host.refs(name)).toEqual(before);
      expect(await admin.client.mirror.get()).toMatchObject({ state: "current", lag: 4 });
      const asked = host.requests.length;
      await later(1);
      expect(Object.keys(await host.refs(name))).toEqual([main, "refs/tags/sop-0001/v1", "refs/tags/sop-0002/v1"]);
      expect((await host.refs(name))[main]).toBe((await heads(company)).main);
      expect(await admin.client.mirror.get()).toMatchObject({ state: "current", lag: 0 });
      expect(host.requests.slice(asked).filter(({ method }) => method === "POST").length).toBeGreaterThan(0);

      const after = host.requests.length;
      await later();
      expect(host.requests.length).toBe(after);

      // pushes follow drafts, too: the others don't hear of them
      const shown = await publish(admin, "Dry the mill", "Dry it.\n");
      for (const stream of streams) await vi.waitFor(() => expect(stream.text()).toContain(shown));
      expect(streams.map((stream) => stream.text().includes('"mirror"'))).toEqual([true, false]);
    });

    test("stops where the remote has other commits, takes none of them away, and goes on after a reset", async () => {
      const { company, admin, name, url } = await mirrored();
      await publish(admin, "Rinse the mill", "Rinse it.\n");
      await later();
      const theirs = await pushThere(url);
      await publish(admin, "Oil the mill", "Oil it.\n");
      await later();
      const ours = await heads(company);
      const stopped = await admin.client.mirror.get();
      const command = `git push --force-with-lease=${main}:${theirs} ${url} ${ours.main}:${main}`;
      expect(stopped).toMatchObject({
        state: "stopped",
        diverged: [{ ref: main, theirs, ours: ours.main, command }],
      });
      expect((await admin.client.stats.needs()).mirrorStopped).toBe(true);
      expect((await (await company.user("manager")).client.stats.needs()).mirrorStopped).toBe(false);
      expect((await host.refs(name))[main]).toBe(theirs);
      expect(Object.keys(await host.refs(name))).not.toContain("refs/tags/sop-0002/v1");
      const [entry, ...others] = await audited(company, "mirror.diverged");
      expect(others).toEqual([]);
      expect(entry).toMatchObject({ userId: null, changes: { refs: [{ ref: main, theirs, ours: ours.main }] } });

      // nothing is tried by itself
      const asked = host.requests.length;
      await later(5 * 60_000);
      expect(host.requests.length).toBe(asked);
      await admin.client.mirror.check();
      await run();
      expect(await admin.client.mirror.get()).toMatchObject({ state: "stopped" });
      expect(await audited(company, "mirror.diverged")).toHaveLength(2);

      // the administrator runs the command in a clone of ours
      await host.git(name, "config", "receive.denyNonFastForwards", "false");
      const clone = gitWriter(server, () => dir).clone;
      const at = await clone(company, admin);
      const [, ...args] = command.split(" ").map((word) => (word === url ? host.withToken(url) : word));
      await git(at, ...args);
      await admin.client.mirror.check();
      await run();
      expect(await admin.client.mirror.get()).toMatchObject({ state: "current", diverged: [], lag: 0 });
      expect((await host.refs(name))[main]).toBe(ours.main);
      expect((await audited(company, "mirror.check")).map(({ userId }) => userId)).toEqual([admin.id, admin.id]);
    });

    test("is paused in a restored copy, until its administrator turns it on again", async () => {
      const { company, admin, name } = await mirrored();
      await publish(admin, "Rinse the mill", "Rinse it.\n");
      await later();
      const { config, db, clock } = server().running.services;
      const file = path.join(dir, "mirror.ndjson.gz");
      await writeBackup(file, { db, config, clock, keys: null });
      for (const [takesOver, paused] of [
        [false, true],
        [true, false],
      ] as const) {
        const copy = configOf(dir, `${server().engine}-${takesOver}`);
        await restoreInto(copy, file, null, { takesOver });
        const restored = await openDatabaseForReading(copy);
        expect([takesOver, (await loadPausedMirrorIds(restored)).has(company.id)]).toEqual([takesOver, paused]);
        await restored.close();
      }

      // as the server of the copy is
      await db.collection("system").deleteOne({ _id: pausedMirrorsId });
      await pauseAllMirrors(db, clock.now());
      const before = await host.refs(name);
      await publish(admin, "Oil the mill", "Oil it.\n");
      await later();
      await later(10 * 60_000);
      expect(await host.refs(name)).toEqual(before);
      const shown = await admin.client.mirror.get();
      expect(shown.state).toBe("paused");
      expect((await admin.client.stats.needs()).mirrorStopped).toBe(true);
      const status = async () => (await company.user("system_admin")).client.status.get();
      const [{ slug } = { slug: "" }] = await db.collection("companies").find({ _id: company.id });
      expect((await status()).mirrors).toContainEqual({ company: slug, state: "paused", problem: null });
      const ready = (await server().send({ path: "/readyz" })).json() as { warnings: string[] };
      expect(ready.warnings.join()).toMatch(/mirrors of repositories need an administrator: .*paused since a restore/);
      expect(ready.warnings.join()).not.toContain(slug);

      // saving the same address leaves it paused
      const { url, username } = shown.settings ?? { url: "", username: "" };
      await admin.client.mirror.update({ body: { url, username } });
      expect((await admin.client.mirror.get()).state).toBe("paused");
      await admin.client.mirror.check();
      await run();
      expect(await admin.client.mirror.get()).toMatchObject({ state: "current", lag: 0 });
      expect(Object.keys(await host.refs(name))).toContain("refs/tags/sop-0002/v1");
      expect(await audited(company, "mirror.resume")).toHaveLength(1);
      expect((await status()).mirrors.filter((one) => one.company === slug)).toEqual([]);
    });

    test("that stopped or fails is named in the server's status", async () => {
      const { company, admin, url } = await mirrored();
      const [{ slug } = { slug: "" }] = await server().db.collection("companies").find({ _id: company.id });
      const own = async () =>
        (await (await company.user("system_admin")).client.status.get()).mirrors.filter((one) => one.company === slug);
      await publish(admin, "Rinse the mill", "Rinse it.\n");
      await later();
      expect(await own()).toEqual([]);
      host.answer = (_, response) => {
        response.writeHead(500).end();
        return true;
      };
      await admin.client.mirror.check();
      for (const failures of [1, 2, 3]) {
        await run();
        expect((await own()).map(({ state }) => state)).toEqual(failures < 3 ? [] : ["failing"]);
        server().clock.advance(60 * 60_000);
      }
      host.answer = null;
      await run();
      await pushThere(url);
      await publish(admin, "Oil the mill", "Oil it.\n");
      await later();
      expect(await own()).toEqual([{ company: slug, state: "stopped", problem: null }]);
    });

    test("stops when a tag of ours means another commit there, and leaves other branches and tags alone", async () => {
      const { admin, name, url } = await mirrored();
      await publish(admin, "Rinse the mill", "Rinse it.\n");
      await later();
      const theirs = await pushThere(url, "HEAD:refs/heads/theirs");
      await host.git(name, "tag", "theirs", theirs);
      await publish(admin, "Oil the mill", "Oil it.\n");
      await later();
      expect(await admin.client.mirror.get()).toMatchObject({ state: "current", lag: 0 });
      expect(await host.refs(name)).toMatchObject({ "refs/heads/theirs": theirs, "refs/tags/theirs": theirs });

      await host.git(name, "tag", "-f", "sop-0001/v1", theirs);
      await admin.client.mirror.check();
      await run();
      expect(await admin.client.mirror.get()).toMatchObject({
        state: "stopped",
        diverged: [{ ref: "refs/tags/sop-0001/v1", theirs }],
      });
    });

    test("tries again after failures, with longer pauses, and names the reason", async () => {
      const { admin, name } = await mirrored();
      await run();
      await publish(admin, "Rinse the mill", "Rinse it.\n");
      const minute = 60_000;
      const problem = async () => {
        const { state, problem: reason, retryAt } = await admin.client.mirror.get();
        return { state, reason, minutes: (Date.parse(retryAt ?? "") - server().clock.millis()) / minute };
      };
      const refuse = (status: number) => {
        host.answer = (_request, response) => {
          response.writeHead(status).end();
          return true;
        };
      };
      refuse(403);
      await later();
      expect(await problem()).toEqual({
        state: "failing",
        reason: "The remote doesn't let this token push",
        minutes: 1,
      });
      const asked = host.requests.length;
      await later(minute - 1);
      expect(host.requests.length).toBe(asked);
      refuse(404);
      await later(1);
      expect(await problem()).toMatchObject({ reason: expect.stringContaining("no such repository"), minutes: 2 });
      for (let failures = 3; failures <= 8; failures++) await later(60 * minute);
      expect(await problem()).toMatchObject({ minutes: 60 });
      host.answer = null;
      await later(60 * minute);
      expect(await problem()).toMatchObject({ state: "current", reason: null });
      expect((await host.refs(name))[main]).toBeDefined();
    });

    test("says so when the remote refuses a branch, as for protected ones", async () => {
      const { admin, name } = await mirrored();
      await host.git(name, "config", "transfer.hideRefs", "refs/heads/main");
      await publish(admin, "Rinse the mill", "Rinse it.\n");
      await later();
      expect(await admin.client.mirror.get()).toMatchObject({
        state: "failing",
        problem: expect.stringContaining("refs/heads/main was refused: [remote rejected]"),
      });
    });

    test("never follows a redirect, with the token or without", async () => {
      const elsewhere = await startGitHost("another token");
      const { admin } = await mirrored();
      host.answer = (request, response) => {
        response.writeHead(302, { location: `${elsewhere.url}${request.url}` }).end();
        return true;
      };
      await run();
      expect(await admin.client.mirror.get()).toMatchObject({
        state: "failing",
        problem: "The address leads to another one. Enter that one",
      });
      expect(elsewhere.requests).toEqual([]);
      await elsewhere.stop();
    });

    test("refuses addresses that the operator doesn't list, without a connection", async () => {
      const { admin, url } = await mirrored();
      await run();
      const { port } = new URL(host.url);
      host.requests.length = 0;
      for (const wrong of [
        `http://localhost:${port}/a.git`,
        `http://127.0.0.2:${port}/a.git`,
        `http://[::1]:${port}/a.git`,
        `http://2130706433:${port}/../a.git?x`,
        `https://127.0.0.1:${port}/a.git`,
        "https://169.254.169.254/latest/meta-data",
        `http://x:y@127.0.0.1:${port}/a.git`,
        "file:///etc/passwd",
        "ext::sh -c touch% /tmp/x",
        "ssh://git@git.example.org/a.git",
        "--upload-pack=touch",
      ]) {
        const body = { url: wrong, username: "x", token: "t" };
        await expect(admin.client.mirror.update({ body })).rejects.toMatchObject({ code: "invalid_input" });
      }
      expect(host.requests).toEqual([]);
      expect((await admin.client.mirror.get()).settings?.url).toBe(url);
    });

    test("refuses a listed name that leads to a private address", async () => {
      const { admin } = await mirrored();
      await run();
      host.requests.length = 0;
      const url = `${host.url.replace("http://127.0.0.1", "https://localhost")}/a.git`;
      await admin.client.mirror.update({ body: { url, username: "x", token: "t" } });
      await run();
      expect(await admin.client.mirror.get()).toMatchObject({
        state: "failing",
        problem: "localhost has a private address",
        pushedAt: null,
      });
      expect(host.requests).toEqual([]);
    });

    test("gives the token of one address to no other, and asks for a new one", async () => {
      const { admin, url } = await mirrored();
      await run();
      const other = await host.create("another");
      await expect(admin.client.mirror.update({ body: { url: other, username: "x" } })).rejects.toMatchObject({
        code: "invalid_input",
        details: { token: expect.any(String) },
      });
      const kept = await admin.client.mirror.update({ body: { url: `${url}/`, username: "renamed", token: "" } });
      expect(kept.settings).toMatchObject({ url, username: "renamed" });
    });

    test("keeps the token out of answers, logs, arguments, the audit log and the database", async () => {
      const { company, admin, name } = await mirrored();
      const basic = Buffer.from(`mirror:${host.token}`).toString("base64");
      const arguments_: string[] = [];
      // a remote that repeats the token, while we look at the processes of this machine
      host.answer = (request, response) => {
        for (const pid of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
          try {
            arguments_.push(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
          } catch {
            // it ended
          }
        }
        if (!request.url?.includes("git-receive-pack")) return false;
        response.writeHead(500, { "content-type": "text/plain" }).end(`no ${host.token} ${basic}`);
        return true;
      };
      await publish(admin, "Rinse the mill", "Rinse it.\n");
      await later();
      expect((await admin.client.mirror.get()).state).toBe("failing");
      expect(host.requests.some(({ authorization }) => authorization === `Basic ${basic}`)).toBe(true);
      const ours = arguments_.filter((line) => line.includes(`${name}.git`));
      expect(ours.some((line) => line.includes("push") || line.includes("ls-remote"))).toBe(true);
      const store = server().db.forCompany(company.id);
      const kept = await store.collection("mirrors").findOne({});
      expect(kept?.token).toMatch(/^v1\./);
      const all = [
        ...arguments_,
        ...logged,
        JSON.stringify(await admin.client.mirror.get()),
        JSON.stringify(await admin.client.mirror.check()),
        JSON.stringify(await store.collection("audit_logs").find({})),
        JSON.stringify(kept),
      ];
      for (const secret of [host.token, basic]) expect(all.filter((text) => text.includes(secret))).toEqual([]);
    });

    test("is the company administrators' alone, and each change is in the audit log", async () => {
      const { company, admin, name, url } = await mirrored();
      for (const role of ["admin", "manager", "editor", "viewer"] as const) {
        const user: TestUser = await company.user(role);
        const calls = [
          () => user.client.mirror.get(),
          () => user.client.mirror.check(),
          () => user.client.mirror.remove(),
          () => user.client.mirror.update({ body: { url, username: "x", token: "t" } }),
        ];
        for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "forbidden" });
      }
      await run();
      await admin.client.mirror.update({ body: { url, username: "mirror", token: "another" } });
      const before = await host.refs(name);
      await admin.client.mirror.remove();
      expect(await admin.client.mirror.get()).toMatchObject({ state: "off", settings: null });
      expect(await host.refs(name)).toEqual(before);
      await expect(admin.client.mirror.check()).rejects.toMatchObject({ code: "not_found" });
      const changes = (await audited(company, "mirror.update")).map((entry) => entry.changes);
      expect(changes).toHaveLength(2);
      expect(changes).toEqual(
        expect.arrayContaining([
          {
            url: { from: null, to: url },
            username: { from: null, to: "mirror" },
            provider: { from: null, to: "other" },
            history: { from: null, to: false },
          },
          { token: "replaced" },
        ]),
      );
      expect(await audited(company, "mirror.remove")).toHaveLength(1);
    });

    test("rests while the company is suspended", async () => {
      const { company, admin, name } = await mirrored();
      await run();
      await publish(admin, "Rinse the mill", "Rinse it.\n");
      await company.set({ status: "suspended" });
      await later();
      expect(Object.keys(await host.refs(name))).toEqual([main]);
      await company.set({ status: "active" });
      await later();
      expect(Object.keys(await host.refs(name))).toEqual([main, "refs/tags/sop-0001/v1"]);
    });

    test("proves itself without a server, but for the branches of others", async () => {
      const { company, admin, url } = await mirrored({ history: true });
      await publish(admin, "Rinse the mill", "Rinse it.\n");
      await later();
      const verify = async (name: string) => {
        const args = [path.resolve("verify.py"), path.join(dir, name)];
        return promisify(execFile)("python3", args).then(
          ({ stdout }) => stdout,
          ({ stdout }: { stdout: string }) => stdout,
        );
      };
      await git(dir, "clone", "-q", host.withToken(url), "copy");
      const { stdout } = await runGit(`${dir}/copy`, "rev-parse", "origin/main", "origin/history");
      const ours = await heads(company);
      expect(stdout.trim().split("\n")).toEqual([ours.main, ours.history]);
      expect(await verify("copy")).toContain("yes: 1 versions are what their commits state");

      await pushThere(url, "HEAD:refs/heads/theirs");
      await git(dir, "clone", "-q", host.withToken(url), "with-theirs");
      expect(await verify("with-theirs")).toContain("no: refs/remotes/origin/theirs is no branch or tag of the server");
      await git(dir, "clone", "-q", "--single-branch", host.withToken(url), "single");
      expect(await verify("single")).toContain("yes: 1 versions");
    });
  },
  { env, log },
);
