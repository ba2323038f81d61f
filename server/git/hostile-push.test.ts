/** Pushes that mean harm: the server refuses them as a whole, and nothing of them is visible. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { git, gitFolder } from "../../test/git.ts";
import { gitWriter } from "../../test/git-writer.ts";
import { count, recordFigure } from "../../test/proof.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

const runs = count({ usual: 40, nightly: 2_000, proof: 2_000 });

describeServer("hostile pushes", (server) => {
  let dir = "";
  let remove = () => {};
  beforeEach(() => ({ dir, remove } = gitFolder()));
  afterEach(() => remove());

  const { addressOf, publish, clone, write, edit, commit, push, titles } = gitWriter(server, () => dir);
  const rinse = "sops/uncategorized/sop-0001-rinse-the-mill.md";

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
  const postAs = async (company: Company, user: TestUser) => {
    const address = new URL(await addressOf(company, user));
    return async (body: Buffer) => {
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
  };
  /** All objects of a clone. */
  const packFrom = async (at: string) => {
    const run = "!git pack-objects --all --no-reuse-delta -q ../p < /dev/null";
    return readFileSync(path.join(dir, `p-${(await git(at, "-c", `alias.p=${run}`, "p")).trim()}.pack`));
  };
  const sumOf = (data: Buffer) => createHash("sha1").update(data).digest();
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
    return Buffer.concat([whole, sumOf(whole)]);
  };

  test("takes no damaged pack, no loop of differences, no bomb and no path of git's own", async () => {
    const company = await server().company();
    const manager = await company.user("manager");
    await publish(manager, "Rinse the mill", "Rinse it.\n");
    const at = await clone(company, manager);
    const before = await git(at, "ls-remote", "origin");
    const post = await postAs(company, manager);
    edit(at, rinse, "Rinse it.", "Rinse it twice.");
    await commit(at);
    const head = (await git(at, "rev-parse", "HEAD")).trim();
    const good = await packFrom(at);
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
      const [status, said] = await post(asked(head, pack));
      expect([what, status, said]).toEqual([
        what,
        200,
        expect.stringMatching(/unpack The pack (?:can't|takes too much memory)/),
      ]);
      expect(said).toContain("ng refs/for/main");
    }
    const [, many] = await post(asked(head, packOf(4_000_000_000, Buffer.alloc(0))));
    expect(many).toContain("At most 50,000 are taken at once");
    const [, absent] = await post(asked("1".repeat(40), packOf(0, Buffer.alloc(0))));
    expect(absent).toContain("The pushed commit is not there");
    expect((await post(Buffer.from("zzzz nonsense")))[0]).toBe(400);
    expect(await post(Buffer.from("0000"))).toEqual([200, ""]);

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

  test(
    "takes nothing of pushes made at random",
    async () => {
      const company = await server().company();
      const manager = await company.user("manager");
      await publish(manager, "Rinse the mill", "Rinse it.\n");
      const at = await clone(company, manager);
      const before = await git(at, "ls-remote", "origin");
      // of a history that has nothing to do with the company's: even an intact one isn't taken
      await git(at, "checkout", "-q", "--orphan", "foreign");
      edit(at, rinse, "Rinse it.", "Rinse it twice.");
      await commit(at);
      const head = (await git(at, "rev-parse", "HEAD")).trim();
      const pack = await packFrom(at);
      const bodies = fc.record({
        ref: fc.oneof(fc.constant("refs/for/main"), fc.string({ unit: "binary", maxLength: 60 })),
        from: fc.constantFrom("0".repeat(40), head),
        to: fc.constantFrom(head, "0".repeat(40), "f".repeat(40)),
        capabilities: fc.constantFrom("\0report-status side-band-64k", "\0report-status", ""),
        bytes: fc.array(fc.record({ at: fc.nat(pack.length - 21), to: fc.nat(255) }), { maxLength: 4 }),
        end: fc.oneof(fc.constant(pack.length), fc.nat(pack.length)),
        isSummed: fc.boolean(),
      });
      const post = await postAs(company, manager);
      await fc.assert(
        fc.asyncProperty(bodies, async ({ ref, from, to, capabilities, bytes, end, isSummed }) => {
          const data = Buffer.from(pack.subarray(0, -20));
          for (const byte of bytes) data[byte.at] = byte.to;
          const sent = isSummed ? Buffer.concat([data, sumOf(data)]) : pack;
          const command = Buffer.from(`${from} ${to} ${ref}${capabilities}`);
          const length = (command.length + 4).toString(16).padStart(4, "0");
          const [status, said] = await post(
            Buffer.concat([Buffer.from(length), command, Buffer.from("0000"), sent.subarray(0, end)]),
          );
          expect([200, 400]).toContain(status);
          expect(said).not.toMatch(/^ok /m);
          expect(said).not.toContain("went wrong");
        }),
        { numRuns: runs },
      );
      expect(await titles(manager)).toEqual(["Rinse the mill"]);
      expect(await git(at, "ls-remote", "origin")).toBe(before);
      expect(readdirSync(path.join(server().dataDir, "pushes"))).toEqual([]);
      recordFigure({ name: "hostile pushes without effect", value: runs, unit: "pushes", goal: "= 2000" });
    },
    3 * 3_600_000,
  );
});
