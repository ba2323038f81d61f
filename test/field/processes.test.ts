/** Hostile input against each program that the server starts: its memory, its answer, and what others can still do. */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { limits } from "#core/limits.ts";
import { processLimits, type ProcessKind } from "#core/processes.ts";
import { debounceMs, pollMs } from "../../server/mirror/job.ts";
import { nestedCommit, packOfDeltas, pushBody, withDocument } from "../git-bombs.ts";
import { startGitHost, type GitHost } from "../git-host.ts";
import { gitWriter } from "../git-writer.ts";
import { git, gitFolder } from "../git.ts";
import { pngOf } from "../images.ts";
import { watchPrograms, type Peak } from "../process-peaks.ts";
import { count, recordFigure } from "../proof.ts";
import { describeServer, type Company } from "../server.ts";

const env: Record<string, string> = {};
let host: GitHost;
beforeAll(async () => {
  host = await startGitHost();
  env["MIRROR_HOSTS"] = host.url;
});
afterAll(() => host.stop());

/** The server refuses tables of 120,000 cells. */
const rows = count({ usual: 300, nightly: 2_900, proof: 2_900 });
const documents = count({ usual: 200, nightly: 1_000, proof: 1_000 });
/** 90 MB each: git has a processor for the hash of all of them. */
const deltas = 400;
/** The work is bounded, and a busy machine has little time for it. */
const patient = { timeout: 900_000 };
const readers = ["git cat-file", "git rev-list", "git merge-base", "git log"];

describeServer(
  "hostile input",
  (server, engine) => {
    let dir = "";
    let remove = () => {};
    beforeEach(() => ({ dir, remove } = gitFolder()));
    afterEach(() => {
      remove();
      host.answer = null;
    });
    const { addressOf, publish, clone, write, commit, push, titles } = gitWriter(server, () => dir);

    /** @param name of the work, for the bench */
    const holds = (name: string, kind: ProcessKind, peaks: Map<string, Peak>, ...programs: string[]) => {
      if (process.platform !== "linux") return;
      const seen = programs.flatMap((program) => peaks.get(program) ?? []);
      expect(seen).not.toEqual([]);
      const { megabytes } = processLimits[kind];
      const resident = Math.round(Math.max(...seen.map((peak) => peak.resident)));
      recordFigure({
        name: `${kind}: ${name}, ${engine}`,
        value: resident,
        unit: "MiB at most",
        goal: `<= ${megabytes}`,
      });
      expect(resident).toBeLessThanOrEqual(megabytes);
      const { cpuSeconds } = processLimits[kind];
      if (cpuSeconds !== null)
        expect(Math.max(...seen.map((peak) => peak.seconds))).toBeLessThanOrEqual(cpuSeconds + 1);
    };

    const writerOf = async (company: Company) => {
      const user = await company.user("manager");
      return { user, address: new URL(await addressOf(company, user)) };
    };
    const pushOf = (address: URL) => ({
      method: "POST",
      path: `${address.pathname}/git-receive-pack`,
      headers: {
        authorization: `Bearer ${address.password}`,
        "content-type": "application/x-git-receive-pack-request",
      },
    });
    const sendPack = async (address: URL, pack: Buffer) =>
      (await server().send({ ...pushOf(address), body: pushBody(pack) })).body.replaceAll(/[^\x20-\x7e\n]/g, "");

    test.each(["file", "empty folder"] as const)(
      "a push of folders that share trees down to one %s is refused before git lists it",
      async (leaf) => {
        const company = await server().company();
        const manager = await company.user("manager");
        await publish(manager, "Rinse the mill", "Rinse it.\n");
        const at = await clone(company, manager);
        const nested = await nestedCommit(at, 30, leaf);
        const watch = watchPrograms(server().dataDir);
        const { code, remote } = await push(at, `${nested}:refs/for/main`);
        expect([code, remote]).toEqual([1, expect.arrayContaining(["The push changes more than 2,000 files."])]);
        const peaks = watch.stop();
        for (const [program, { resident }] of peaks)
          expect([program, resident < processLimits.pushedObjects.megabytes]).toEqual([program, true]);
        holds(`nested folders, ${leaf}`, "pushedObjects", peaks, ...readers);
        const deep = await nestedCommit(at, 3, leaf);
        expect((await push(at, `${deep}:refs/for/main`)).stderr).not.toContain("more than");
        expect(await titles(manager)).toEqual(["Rinse the mill"]);
      },
    );

    test("a push of one long chain of folders is refused by its depth", async () => {
      const company = await server().company();
      const manager = await company.user("manager");
      await publish(manager, "Rinse the mill", "Rinse it.\n");
      const at = await clone(company, manager);
      write(at, `sops/${"a/".repeat(limits.pushDepth)}deep.md`, "# Deep\n");
      await commit(at);
      const { remote } = await push(at);
      expect(remote).toContain(`The push has more than ${limits.pushDepth} folders inside each other.`);
    });

    test("a push of small deltas of large files ends at the processor time of its git", patient, async () => {
      const company = await server().company();
      const { user, address } = await writerOf(company);
      await publish(user, "Rinse the mill", "Rinse it.\n");
      const watch = watchPrograms(server().dataDir);
      expect(await sendPack(address, packOfDeltas(deltas, 90))).toContain("unpack The pack takes too much work");
      holds(`${deltas} deltas of 90 MB`, "pushedPack", watch.stop(), "git index-pack");
    });

    test("a PDF of the longest text, all of it cells of a table, stays within its process", patient, async () => {
      const company = await server().company();
      const manager = await company.user("manager");
      const row = `|${" a |".repeat(40)}\n`;
      const head = row + `|${" - |".repeat(40)}\n`;
      const id = await publish(manager, "Count the mills", head + row.repeat(rows));
      const watch = watchPrograms(server().dataDir, "worker.ts");
      const { status } = await manager.send({ path: `/api/sops/${id}/export?format=pdf` });
      expect([200, 422]).toContain(status);
      holds(`a table of ${rows * 40} cells, answered ${status}`, "print", watch.stop(), "worker.ts");
    });

    test("users whose push took too much leave places to others", async () => {
      const { pushes } = server().running.services.shares;
      const addresses: URL[] = [];
      const tooMuch = "unpack The pack takes too much memory";
      for (const company of [await server().company(), await server().company()]) {
        for (let at = 0; at < 2; at++) {
          const { user, address } = await writerOf(company);
          await publish(user, "Rinse the mill", "Rinse it.\n");
          expect(await sendPack(address, packOfDeltas(1, 120))).toContain(tooMuch);
          addresses.push(address);
        }
      }
      const held = ["one", "two"].map((userId) => pushes.enter({ companyId: "costly pushes", userId }));
      const again = addresses.map((address) => sendPack(address, packOfDeltas(1, 120)));
      await expect.poll(() => pushes.load()).toEqual({ running: 2, waiting: 4 });
      const honest = await server().company();
      const manager = await honest.user("manager");
      await publish(manager, "Rinse the mill", "Rinse it.\n");
      const at = await clone(honest, manager);
      write(at, "sops/uncategorized/sharpen.md", '---\ntitle: "Sharpen the mill"\n---\n\nSharpen it.\n');
      await commit(at);
      expect((await push(at)).code).toBe(0);
      for (const one of held) (await one)();
      for (const one of again) expect(await one).toContain(tooMuch);
      await expect.poll(() => pushes.load()).toEqual({ running: 0, waiting: 0 });
    });

    test(
      "a mirror's branch with nested folders or great deltas is refused, and later commits are read",
      patient,
      async () => {
        const company = await server().company();
        const admin = await company.user("company_admin");
        const url = await host.create(`mirror-${company.id}`);
        await publish(admin, "Rinse the mill", "Rinse it.\n");
        const mirror = {
          url,
          username: "mirror",
          token: host.token,
          provider: "other",
          incoming: "proposals",
        } as const;
        await admin.client.mirror.update({ body: mirror });
        const run = () => server().running.mirrors.run();
        await run();
        await git(dir, "clone", "-q", "-b", "proposals", host.withToken(url), "theirs");
        const at = `${dir}/theirs`;
        const linesAfter = async () => {
          await run();
          server().clock.advance(debounceMs + pollMs);
          await run();
          const { incoming } = await admin.client.mirror.get();
          return incoming?.taken?.lines.join("\n");
        };
        const nested = await nestedCommit(at, 30, "empty folder");
        await git(at, "push", "-q", "origin", `${nested}:refs/heads/proposals`);
        const watch = watchPrograms(server().dataDir);
        expect(await linesAfter()).toContain("The push changes more than 2,000 files. Nothing was taken.");
        // on top of what was refused, and beside it
        const next = await withDocument(at, nested, "grind.md", '---\ntitle: "Grind"\n---\n\nGrind it.\n');
        await git(at, "push", "-q", "origin", `${next}:refs/heads/proposals`);
        expect(await linesAfter()).toMatch(/grind\.md: proposal/);
        holds("nested folders of a mirror", "pushedObjects", watch.stop(), ...readers);

        writeFileSync(`${dir}/pack`, packOfDeltas(1, 120));
        const name = `mirror-${company.id}`;
        await host.git(name, "-c", `alias.take=!git index-pack --stdin < ${dir}/pack`, "take");
        const listed = await host.git(name, "cat-file", "--batch-all-objects", "--batch-check");
        const great = listed.split("\n").flatMap((line) => /^(\w+) blob (?:65536|\d{9})$/.exec(line)?.[1] ?? []);
        expect(great).toHaveLength(2);
        const entries = great.map((oid, one) => `100644 blob ${oid}\t${one}.md`).join("\n");
        writeFileSync(`${dir}/entries`, `${entries}\n`);
        const folder = (await host.git(name, "-c", `alias.t=!git mktree < ${dir}/entries`, "t")).trim();
        const commit = await host.git(name, "commit-tree", folder, "-p", next, "-m", "Deltas");
        await host.git(name, "update-ref", "refs/heads/proposals", commit.trim());
        await linesAfter();
        // its index-pack ends at its limit so soon that a sample seldom sees it
        expect((await admin.client.mirror.get()).incoming?.problem).toBe("The remote's objects take too much work");
      },
    );

    test("honest pushes and clones fit: many documents, and a repository of 50 MB", patient, async () => {
      const company = await server().company();
      const manager = await company.user("manager");
      await publish(manager, "Rinse the mill", "Rinse it.\n");
      const at = await clone(company, manager);
      for (let one = 0; one < documents; one++) {
        const text = Array.from({ length: 40 }, () => randomBytes(24).toString("hex")).join(" ");
        write(
          at,
          `sops/uncategorized/mill-${one}.md`,
          `---\ntitle: "Mill ${one}"\n---\n\nRinse mill ${one}. ${text}\n`,
        );
      }
      await commit(at);
      const watch = watchPrograms(server().dataDir);
      const { code, stderr } = await push(at);
      expect([code, stderr]).toEqual([0, expect.stringContaining("refs/for/main")]);
      expect((await manager.client.sops.list({ query: { total: "true" } })).total).toBe(documents + 1);
      holds(`a push of ${documents} documents`, "pushedPack", watch.stop(), "git index-pack");

      const images: string[] = [];
      for (let one = 0; one < 11; one++) {
        const body = Buffer.concat([pngOf(String(one)), randomBytes(4.7 * 2 ** 20)]);
        const headers = { "content-type": "image/png" };
        const stored = await manager.send({ method: "POST", path: "/api/assets", headers, body });
        images.push(`![Mill ${one}](${(stored.json() as { url: string }).url})\n`);
      }
      await publish(manager, "See the mill", images.join("\n"));
      // a clone waits only some time for commits
      await server().running.services.repositories.drain(company.id);
      const cloning = watchPrograms(server().dataDir);
      const all = await clone(company, manager, "all");
      const [, packed] = /size-pack: (\d+)/.exec(await git(all, "count-objects", "-v")) ?? [];
      expect(Number(packed)).toBeGreaterThan(50 * 1024);
      holds("a clone of 50 MB", "clone", cloning.stop(), "git pack-objects", "git upload-pack");
    });
  },
  { env },
);
