/** Imports from every kind of source, by the real program into a real server: saved plans, interrupted runs, conflicts. */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, unzipSync, zipSync } from "fflate";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { makeFolder, runSop, type Folder } from "./run-sop.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let server: TestServer;
let user: TestUser;
let folder: Folder;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startServer("sqlite");
}, 60_000);
afterAll(() => server.stop());
beforeEach(async () => {
  user = await (await server.company()).user("company_admin");
  const { token } = await user.client.tokens.create({ body: { name: "t", scopes: ["sops:read", "sops:write"] } });
  env = { SOP_SERVER: server.url, SOP_TOKEN: token };
  folder = makeFolder();
});
afterEach(() => folder.remove());

const sop = (...args: string[]) => runSop(args, { cwd: folder.path, env });
const all = async () => (await user.client.sops.list({ query: { limit: 200, total: "true" } })).data;
const markdownOf = async (title: string) => {
  const found = (await all()).find((row) => row.title === title);
  return found === undefined ? undefined : (await user.client.sops.get({ params: { id: found.id } })).markdown;
};
const idOf = async (title: string) => (await all()).find((row) => row.title === title)?.id;
const numberOf = async (title: string) => (await all()).find((row) => row.title === title)?.number;
const zip = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, data]) => [name, typeof data === "string" ? strToU8(data) : data]),
    ),
  );

const tree = {
  "docs/a.md": "# Alpha\n\nSee [b](sub/b.md#two) and ![pic](pic.png).\n",
  "docs/sub/b.md": "# Beta\n\nBack to [a](../a.md).\n",
  "docs/pic.png": png,
};

describe("sop import", { timeout: 120_000 }, () => {
  it("keeps folders as categories and tags", async () => {
    const body = (title: string) => `# ${title}\n\nDo ${title}.\n`;
    folder.write({
      "handbook/a.md": body("A"),
      "handbook/IT/b.md": body("B"),
      "handbook/IT/Network/wifi/guest/c.md": body("C"),
      "packed.zip": zip({ "site-main/IT/Network/d.md": body("D"), "site-main/e.md": body("E") }),
    });
    const places = async () => {
      const categories = await user.client.categories.list();
      const parent = (name: string | undefined) => {
        const own = categories.find((one) => one.name === name);
        return categories.find((one) => one.id === own?.parentId)?.name;
      };
      const rows = (await all()).map(({ title, tags, category }) => [
        title,
        [parent(category?.name), category?.name].filter(Boolean).join(" / "),
        tags.join(","),
      ]);
      return rows.toSorted();
    };
    const plain = await sop("import", "handbook", "--category-from", "folders", "--create-categories");
    expect([plain.code, plain.stderr]).toEqual([
      0,
      expect.stringContaining(
        "1 document is below the second folder; --tags-from folders keeps deeper folders as tags",
      ),
    ]);
    expect(await places()).toEqual([
      ["A", "", ""],
      ["B", "IT", ""],
      ["C", "IT / Network", ""],
    ]);
    const options = ["--category-from", "folders", "--tags-from", "folders"];
    const tagged = await sop("import", "handbook", "packed.zip", ...options);
    expect(tagged.stdout).toContain("2 created, 1 updated, 2 unchanged");
    expect(tagged.stderr).not.toContain("below the second");
    expect(await places()).toEqual([
      ["A", "", ""],
      ["B", "IT", ""],
      ["C", "IT / Network", "wifi,guest"],
      ["D", "IT / Network", ""],
      ["E", "", ""],
    ]);
    expect((await sop("import", "handbook", "packed.zip", ...options)).stdout).toContain("5 unchanged");
    const files = await sop("import", "handbook", "--tags-from", "folders", "--to-dir", "out");
    expect([files.code, readFileSync(join(folder.path, "out/handbook/IT/Network/wifi/guest/c.md"), "utf8")]).toEqual([
      0,
      expect.stringContaining('tags:\n  - "IT"\n  - "Network"\n  - "wifi"\n  - "guest"\n'),
    ]);
    const refused = await sop("import", "handbook", "--category-from", "folders", "--to-dir", "out");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("which keeps the folders")]);
    expect((await sop("import", "handbook", "--category-from", "names")).code).toBe(2);
  });

  it("keeps a link to a document that is refused, and links it once that is imported", async () => {
    folder.write({
      "ref/a.md": "# Ref A\n\nSee [the limits](b.md#x).\n",
      "ref/b.md": `## X\n\n${"> ".repeat(40)}deep\n`,
    });
    const first = await sop("import", "ref");
    expect(first.stdout).toContain(
      "Import: 1 created, 1 refused. 1 with notes: 1 link that leads nowhere; -v shows them.",
    );
    expect(await markdownOf("Ref A")).toContain("See [the limits](b.md#x).");
    expect((await sop("import", "ref")).stdout).toContain("Import: 1 refused, 1 unchanged.");
    folder.write({ "ref/b.md": "# Ref B\n\n## X\n\nText.\n" });
    expect((await sop("import", "ref")).stdout).toContain("Import: 1 created, 1 updated.");
    expect(await markdownOf("Ref A")).toContain(`See [the limits](/sop/${await numberOf("Ref B")}#x).`);
    expect((await sop("import", "ref")).stdout).toContain("Import: 2 unchanged.");
  });

  it("links documents, stores pictures, and changes nothing the second time", async () => {
    folder.write(tree);
    const first = await sop("import", "docs");
    expect([first.code, first.stdout.split("\n").at(-2)]).toEqual([
      0,
      "Import: 2 created. 2 with notes: 1 link that leads nowhere; -v shows them.",
    ]);
    expect(await markdownOf("Alpha")).toMatch(
      new RegExp(`\\[b\\]\\(/sop/${await numberOf("Beta")}#two\\) and !\\[pic\\]\\(/api/assets/[0-9a-f]{64}\\.png\\)`),
    );
    expect(await markdownOf("Beta")).toContain(`[a](/sop/${await numberOf("Alpha")})`);
    expect(await sop("import", "docs")).toEqual({
      code: 0,
      stdout: "Import: 2 unchanged.\n",
      stderr: expect.stringMatching(/^Company .+ on http:\S+\n$/),
    });
    folder.write({ "docs/pic.png": Buffer.concat([png, Buffer.from([0])]) });
    expect((await sop("import", "docs", "--dry-run")).stdout).toContain("~ update  docs/a.md");
  });

  it("makes several SOPs from one file, with links between them", async () => {
    const leave = "# Leave\n\nAsk first, see [travel](#travel).\n\n## Steps\n\n1. Ask. ![pic](pic.png)\n\n";
    const travel = "# Travel\n\nBack to [leave](#leave) and its [steps](#steps).\n";
    const page = `<h1>Site</h1><p>All.</p><p>Of it.</p><h2>Gate</h2><p>Go <a href="#d">on</a>. <img src="data:image/png;base64,${png.toString("base64")}"></p><h2 id="d">Dock</h2><p>Wait.</p>`;
    folder.write({
      "docs/book.md": `---\ntags: [people]\n---\n${leave}${travel}`,
      "docs/pic.png": png,
      "docs/page.html": page,
      "docs/whole.md": "# Whole\n\nSee [travel](book.md#travel).\n",
    });
    const files = ["docs/book.md", "docs/page.html", "docs/whole.md"];
    const run = (...options: string[]) => sop("import", ...files, "--split", "heading", ...options);
    const plan = await run("--dry-run", "-v");
    expect([plan.code, await all()]).toEqual([0, []]);
    expect(plan.stdout).toMatch(
      /note +docs\/whole\.md +imported whole, because no heading level occurs more than once/,
    );
    expect(plan.stdout).toMatch(/\+ create +docs\/book\.md#leave +.*Leave/);
    const first = await run();
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining("Import: 6 created.")]);
    const address = async (title: string) => `/sop/${await numberOf(title)}`;
    expect(await markdownOf("Leave")).toMatch(
      /^Ask first, see \[travel\]\(\S+\)\.\n\n## Steps\n\n1\. Ask\. !\[pic\]\(\/api\/assets\//,
    );
    expect(await markdownOf("Leave")).toContain(`[travel](${await address("Travel")})`);
    const leaveAt = await address("Leave");
    expect(await markdownOf("Travel")).toContain(`[leave](${leaveAt}) and its [steps](${leaveAt}#steps)`);
    expect(await markdownOf("Whole")).toContain(`[travel](${await address("Travel")})`);
    expect(await markdownOf("Site")).toBe("All.\n\nOf it.\n");
    expect(await markdownOf("Gate")).toMatch(
      new RegExp(`^Go \\[on\\]\\(${await address("Dock")}\\)\\. !\\[\\]\\(/api/assets/`),
    );
    expect((await all()).find(({ title }) => title === "Travel")?.tags).toEqual(["people"]);
    expect((await run()).stdout).toBe("Import: 6 unchanged.\n");
    folder.write({ "docs/book.md": `---\ntags: [people]\n---\n${leave}${travel}\nPack light.\n` });
    const changed = await run();
    expect(changed.stdout).toMatch(/~ update +docs\/book\.md#travel +.*Travel/);
    expect(changed.stdout).toContain("Import: 1 updated, 5 unchanged.");
    expect(await markdownOf("Travel")).toContain("Pack light.");

    expect((await run("--to-dir", "out")).stdout).toContain("6 created");
    expect(readFileSync(join(folder.path, "out/docs/book/leave.md"), "utf8")).toMatch(
      /\[travel\]\(travel\.md\)[^]*!\[pic\]\(\.\.\/\.\.\/assets\//,
    );
    expect(readFileSync(join(folder.path, "out/docs/whole.md"), "utf8")).toContain("[travel](book/travel.md)");
    expect((await run("--to-dir", "out")).stdout).toContain("Import: 6 unchanged.");
    const other = await sop("import", "docs", "--split", "page");
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("heading")]);
    const stdin = await sop("import", "-", "--split", "heading");
    expect([stdin.code, stdin.stderr]).toEqual([2, expect.stringContaining("--split needs a file")]);
  });

  it("brings images along however they are named: into the server, git and every export", async () => {
    folder.write({
      "docs/a.md": '# Alpha\n\n<img src="pic.png" width="80">\n\n```{image} gone.png\n```\n',
      "docs/pic.png": png,
    });
    const ran = await sop("import", "docs", "-v");
    expect(ran.stdout).toMatch(/note +docs\/a\.md:5 +gone\.png is not there/);
    const name = `${createHash("sha256").update(png).digest("hex")}.png`;
    const inGit = `assets/${name.slice(0, 2)}/${name}`;
    expect(await markdownOf("Alpha")).toContain(`<img src="/api/assets/${name}" width="80">`);
    await vi.waitFor(async () => expect(await user.client.repository.get()).toMatchObject({ lag: 0 }), 20_000);
    const repository = join(server.dataDir, "repositories", `${user.companyId}.git`);
    const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" });
    expect(git("ls-tree", "-r", "--name-only", "history")).toContain(inGit);
    expect(git("grep", "-h", "<img", "history", "--", "sops")).toContain(`<img src="../../${inGit}" width="80">`);
    const number = await numberOf("Alpha");
    for (const [format, to] of [
      ["md", "out/"],
      ["html", "a.html"],
      ["site", "site"],
      ["docx", "a.docx"],
      ["bundle", "b.zip"],
    ] as const) {
      const made = await sop(
        "export",
        ...(format === "site" || format === "md" ? [] : [number ?? ""]),
        "--format",
        format,
        "--drafts",
        "-o",
        to,
      );
      expect([format, made.code, made.stderr]).toEqual([format, 0, expect.any(String)]);
    }
    expect(readFileSync(join(folder.path, "out", inGit))).toEqual(png);
    expect(readFileSync(join(folder.path, "a.html"), "latin1")).toContain(
      `data:image/png;base64,${png.toString("base64")}`,
    );
    expect(readdirSync(join(folder.path, "site"), { recursive: true })).toContain(`assets/${name}`);
    expect(Object.keys(unzipSync(readFileSync(join(folder.path, "b.zip"))))).toContainEqual(
      expect.stringContaining(name),
    );
    expect(Object.keys(unzipSync(readFileSync(join(folder.path, "a.docx"))))).toContainEqual(
      expect.stringMatching(/media\/.*png/),
    );
    // and from the exported folder again
    const again = await sop("export", "--from-dir", "out", "--format", "html", "-o", "again");
    expect(again.code).toBe(0);
    const [page = ""] = readdirSync(join(folder.path, "again"), { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".html"),
    );
    expect(readFileSync(join(folder.path, "again", page), "latin1")).toContain("data:image/png;base64,");
  });

  it("takes Word, HTML and zips, and refuses what is dangerous with exit 2", async () => {
    folder.write({
      "page.html": "<title>Page</title><h1>Page</h1><p>x</p>",
      "notion.zip": zip({
        "Home 0123456789abcdef0123456789abcdef.md": "# Home\n",
        "T 0123456789abcdef0123456789abcde0.csv": "a,b\n",
      }),
      "slip.zip": zip({ "../../x.md": "# X\n" }),
      "bomb.zip": zip({ "x.md": new Uint8Array(30 * 1024 * 1024) }),
      "old.docx": Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]),
    });
    const ran = await sop("import", "page.html", "notion.zip");
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain("+ create  Home.md");
    expect(ran.stdout).toContain("x skip    T.csv".replace("T.csv", "T 0123456789abcdef0123456789abcde0.csv"));
    for (const [name, reason] of [
      ["slip.zip", "a path that leads out of it (../../x.md)"],
      ["bomb.zip", "unpacks to far more"],
    ] as const) {
      const refused = await sop("import", name);
      expect([refused.code, refused.stdout]).toEqual([
        2,
        expect.stringMatching(new RegExp(`^x refused  ${name}  it `)),
      ]);
      expect(refused.stdout).toContain(reason);
    }
    const some = await sop("import", "slip.zip", "page.html");
    expect([some.code, some.stdout]).toEqual([2, expect.stringContaining("Import: 1 refused, 1 unchanged.")]);
    const locked = await sop("import", "old.docx");
    expect([locked.code, locked.stdout.split("\n")[0]]).toEqual([
      2,
      "x refused  old.docx  it is encrypted, or in Word's old format: save it as .docx without a password",
    ]);
    expect(await all()).toHaveLength(2);
  });

  it("goes on after kill -9, without a document twice and with its links right", async () => {
    const count = 170;
    const name = (i: number) => `d/${String(i).padStart(3, "0")}.md`;
    folder.write(
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          name(i),
          `# Doc ${i}\n\nNext: [next](${name((i + 1) % count).slice(2)}) ${i}\n`,
        ]),
      ),
    );
    let killed = false;
    const broken = await runSop(["import", "d"], {
      cwd: folder.path,
      env,
      started: (kill) => {
        const watch = async (): Promise<void> => {
          while ((await all()).length === 0) await new Promise((next) => setTimeout(next, 5));
          kill("SIGKILL");
          killed = true;
        };
        void watch();
      },
    });
    expect([killed, broken.code]).toEqual([true, null]);
    const before = (await all()).length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(count);
    const resumed = await sop("import", "--resume");
    expect(resumed.stderr).toContain("continuing after");
    expect([resumed.code, /(\d+) created, (\d+) unchanged/.exec(resumed.stdout)?.slice(1).map(Number)]).toEqual([
      0,
      [expect.any(Number), expect.any(Number)],
    ]);
    const rows = await all();
    expect(rows).toHaveLength(count);
    const addresses = new Map(
      rows.map(({ title, id, number }) => [title, [id, number].map((to) => `[next](/sop/${to})`)]),
    );
    expect(addresses.size).toBe(count);
    for (const at of [0, 49, 50, 99, 100, count - 1]) {
      // by id where the other document came in a later request
      const next = addresses.get(`Doc ${(at + 1) % count}`);
      expect(next).toContain(/\[next\]\([^)]*\)/.exec((await markdownOf(`Doc ${at}`)) ?? "")?.[0]);
    }
    expect((await sop("import", "d")).stdout).toBe(`Import: ${count} unchanged.\n`);
    const nothing = await sop("import", "--resume");
    expect([nothing.code, nothing.stderr]).toEqual([
      2,
      "error: no interrupted import in this folder\n  run the import itself\n",
    ]);
  });

  it("carries out a plan that was kept, and refuses a stale one", async () => {
    folder.write(tree);
    const planned = await sop("import", "docs", "--plan-out", "p.json");
    expect([planned.code, await all()]).toEqual([0, []]);
    expect(JSON.parse(readFileSync(join(folder.path, "p.json"), "utf8"))).toMatchObject({
      schema: "sop.import-plan/1",
      sources: ["docs"],
    });
    folder.write({ "docs/a.md": "# Alpha\n\nChanged.\n" });
    const stale = await sop("import", "--apply", "p.json");
    expect([stale.code, stale.stderr]).toEqual([
      2,
      expect.stringContaining("the plan is stale: docs/a.md changed after the plan was made"),
    ]);
    expect(await all()).toEqual([]);
    folder.write(tree);
    expect((await sop("import", "--apply", "p.json")).stdout).toContain("Import: 2 created.");
    const again = await sop("import", "--apply", "p.json");
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("the plan is stale")]);
  });

  it.each([
    [["--apply", "none.json"], "none.json: file or folder not found"],
    [["--apply", "bad.json"], "bad.json: not a plan of sop import --plan-out"],
    [["--apply", "bad.json", "docs"], "--apply and --resume can't be used with sources"],
    [["--apply", "bad.json", "--resume"], "--apply and --resume can't be combined"],
    [[], "name what to import"],
    [["--resume"], "no interrupted import in this folder"],
    [["docs", "--to-dir", "bad.json"], "bad.json: not a folder"],
    [["docs", "--from", "word"], "Allowed choices are"],
    [["docs", "--limit", "few"], "It must be a whole number"],
    [["docs", "--from", "git"], "docs: not a git repository"],
    [["https://name:secret@example.org/x.git"], "an address can't contain a name or password"],
  ])("bad input: %j", async (args, message) => {
    folder.write({ "bad.json": "{}", "docs/a.md": "# A\n" });
    const ran = await sop("import", ...args);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).not.toContain("secret");
    expect(await all()).toEqual([]);
  });

  it("stops at --limit", async () => {
    folder.write({ "a.md": "# A\n", "b.md": "# B\n", "c.md": "# C\n" });
    const limited = await sop("import", ".", "--limit", "2");
    expect(limited.stdout.split("\n").slice(-3, -1)).toEqual([
      "x skip    c.md  beyond --limit 2",
      "Import: 2 created, 1 skipped. 2 with notes: -v shows them.",
    ]);
    expect(await all()).toHaveLength(2);
    folder.write({ "d.md": "" });
    const failed = await sop("import", ".", "--fail-fast");
    expect(failed.code).toBe(2);
    expect(await all()).toHaveLength(2);
  });

  it("says that two have the same content, and never writes over what was changed here", async () => {
    folder.write({ "a.md": "# A\n\n1\n", "copy.md": "# A\n\n1\n" });
    expect((await sop("import", ".")).stdout).toContain("x duplicate  copy.md  It has the same content as a.md");
    const id = (await idOf("A")) ?? "";
    await user.client.sops.update({ params: { id }, body: { markdown: "Edited here.\n" } });
    folder.write({ "a.md": "# A\n\n2\n" });
    const ran = await sop("import", "a.md");
    expect([ran.code, ran.stdout]).toEqual([6, expect.stringContaining("! conflict  a.md")]);
    expect(await markdownOf("A")).toBe("Edited here.\n");
  });
});

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=Ann Author", "-c", "user.email=ann@example.org", ...args], {
    cwd: join(folder.path, "repo"),
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder.path,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_DATE: "2025-03-04T10:00:00Z",
      GIT_COMMITTER_DATE: "2025-03-04T10:00:00Z",
    },
  });
const hasGit = ["/usr/bin/git", "/usr/local/bin/git", "/bin/git"].some(existsSync);

describe.runIf(hasGit)("sop import of repositories", { timeout: 120_000 }, () => {
  it.each([
    ["a folder", ["repo", "--from", "git"]],
    ["an address", ["file"]],
  ])("by %s: what is committed, with author and day of the last change", async (_, args) => {
    folder.write({
      "repo/a.md": "---\ntitle: Alpha\n---\n\nSee [b](b.md).\n",
      "repo/b.md": "# Beta\n",
      "repo/c.txt": "x",
    });
    git("init", "-q");
    execFileSync("ln", ["-s", "/etc/passwd", join(folder.path, "repo/link.md")]);
    git("add", ".");
    git("commit", "-qm", "first");
    folder.write({ "repo/b.md": "# Beta\n\nSecond.\n" });
    git("commit", "-qam", "second");
    folder.write({ "repo/b.md": "# Not committed\n" });
    const ran = await sop("import", ...(args[0] === "file" ? [`file://${join(folder.path, "repo")}`] : args));
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain("x refused  link.md  symbolic links and modules are not followed");
    expect(await markdownOf("Beta")).toBe("Second.\n");
    expect(await markdownOf("Alpha")).toContain(`[b](/sop/${await numberOf("Beta")})`);
    const [exported] = [await sop("export", "--drafts", (await idOf("Beta")) ?? "")];
    expect(exported?.stdout).toContain('x-source-author: "Ann Author"\nx-source-date: "2025-03-04"');
    const [made] = [await sop("export", "--drafts", (await idOf("Alpha")) ?? "")];
    folder.write({ "repo/a.md": made?.stdout.replaceAll(/^x-source-.*\n/gm, "") ?? "" });
    git("commit", "-qam", "exported");
    const again = await sop("import", ...(args[0] === "file" ? [`file://${join(folder.path, "repo")}`] : args));
    expect(again.stdout).toMatch(/^x refused +link\.md/m);
    expect(again.stdout).not.toContain("x-source");
    const [kept] = [await sop("export", "--drafts", (await idOf("Alpha")) ?? "")];
    expect(kept?.stdout).not.toContain("x-source");
  });
});

describe.runIf(hasGit)("sop import of a company's repository", { timeout: 120_000 }, () => {
  it("leaves out what the server writes", async () => {
    folder.write({
      "repo/.sop/repo.yml": "format: 1\n",
      "repo/README.md": "# Start\n",
      "repo/index/it.md": "# IT\n",
      "repo/sops/it/gamma.md": "# Gamma\n",
    });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "first");
    const ran = await sop("import", "repo", "--from", "git", "--dry-run", "--json");
    const { results } = (JSON.parse(ran.stdout) as { data: { results: { path: string }[] } }).data;
    expect(results.map(({ path }) => path)).toEqual(["sops/it/gamma.md"]);
  });
});

/** `git upload-pack` behind HTTP, as repository hosts answer a clone. */
async function serveRepository(gitdir: string): Promise<{ url: string; close(): void }> {
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    const isAsk = request.url?.startsWith("/repo.git/info/refs?service=git-upload-pack") === true;
    if (!isAsk && request.url !== "/repo.git/git-upload-pack") return void response.writeHead(404).end();
    const service = isAsk ? "advertisement" : "result";
    response.writeHead(200, { "content-type": `application/x-git-upload-pack-${service}` });
    if (isAsk) response.write("001e# service=git-upload-pack\n0000");
    const child = spawn("git", ["upload-pack", "--stateless-rpc", ...(isAsk ? ["--advertise-refs"] : []), gitdir], {
      env: { PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1", HOME: folder.path },
      stdio: ["pipe", "pipe", "ignore"],
    });
    request.pipe(child.stdin);
    child.stdout.pipe(response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/repo.git`, close: () => server.close() };
}

describe.runIf(hasGit)("sop import of a repository far away", { timeout: 120_000 }, () => {
  it("clones it, imports it, and says so when it is not there", async () => {
    folder.write({ "repo/a.md": "# Alpha\n\nFar.\n" });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "first");
    const far = await serveRepository(join(folder.path, "repo/.git"));
    try {
      expect((await sop("import", far.url)).stdout).toContain("+ create  a.md  SOP-0001 Alpha");
      expect(await markdownOf("Alpha")).toBe("Far.\n");
      const missing = await sop("import", far.url.replace("repo.git", "gone.git"));
      expect([missing.code, missing.stderr]).toEqual([5, expect.stringContaining("couldn't fetch the repository")]);
    } finally {
      far.close();
    }
  });
});

describe("sop import --to-dir", { timeout: 120_000 }, () => {
  const offline = (...args: string[]) => runSop(args, { cwd: folder.path });
  const read = (name: string) => readFileSync(join(folder.path, name), "utf8");

  it("writes documents that link each other and pictures beside them, the same again as unchanged", async () => {
    folder.write(tree);
    expect((await offline("import", "docs", "--to-dir", "out")).code).toBe(0);
    expect(read("out/docs/a.md")).toMatch(/\[b\]\(sub\/b\.md#two\) and !\[pic\]\(\.\.\/assets\/[0-9a-f]{16}\.png\)/);
    const [image = ""] = readdirSync(join(folder.path, "out/assets"));
    expect(readFileSync(join(folder.path, "out/assets", image)).equals(png)).toBe(true);
    expect((await offline("import", "docs", "--to-dir", "out")).stdout).toMatch(/^Import: 2 unchanged\./);
  });

  it("compares three texts: the source's change goes in, an edit stays, both are a conflict", async () => {
    folder.write({ "src/a.md": "# A\n\n1\n", "src/b.md": "# B\n\n1\n", "src/c.md": "# C\n\n1\n" });
    await offline("import", "src", "--to-dir", "out");
    const edit = (name: string) =>
      writeFileSync(join(folder.path, `out/src/${name}.md`), read(`out/src/${name}.md`).replace("1", "edited"));
    edit("b");
    edit("c");
    folder.write({ "src/a.md": "# A\n\n2\n", "src/c.md": "# C\n\n2\n" });
    const ran = await offline("import", "src", "--to-dir", "out");
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain("~ update    src/a.md");
    expect(ran.stdout).toContain("! conflict  src/c.md");
    expect(ran.stdout).toContain("1 updated, 1 in conflict, 1 unchanged");
    expect(
      [read("out/src/a.md"), read("out/src/b.md"), read("out/src/c.md")].map((text) => text.trim().split("\n").at(-1)),
    ).toEqual(["2", "edited", "edited"]);
    await offline("import", "src/c.md", "--to-dir", "out", "--on-conflict", "copy");
    expect(read("out/src/c-2.md")).toContain("\n2\n");
  });

  it("keeps a link to a document that is refused, names it, and links it once that is repaired", async () => {
    folder.write({
      "ref/a.md": "# A\n\nSee [the limits](../ref/b/#x).\n",
      "ref/b.md": `## X\n\n${"> ".repeat(40)}deep\n`,
    });
    const first = await offline("import", "ref", "--to-dir", "out");
    expect(first.stdout).toContain(
      "Import: 1 created, 1 refused. 1 with notes: 1 link that leads nowhere; -v shows them.",
    );
    expect(read("out/ref/a.md")).toContain("See [the limits](../ref/b/#x).");
    const same = await offline("import", "ref", "--to-dir", "out", "-v");
    expect(same.stdout).toContain("Import: 1 refused, 1 unchanged.");
    expect(same.stdout).toContain("the link ../ref/b/#x leads to a document that can't be imported");
    folder.write({ "ref/b.md": "# B\n\n## X\n\nText.\n" });
    expect((await offline("import", "ref", "--to-dir", "out")).stdout).toContain("1 created, 1 updated");
    expect(read("out/ref/a.md")).toContain("See [the limits](b.md#x).");
  });

  it("finds names in NFD, and writes names that all systems can have", async () => {
    rmSync(join(folder.path, "out"), { recursive: true, force: true });
    folder.write({
      "mac/a.md": "# A\n\n[b](Pru\u0308fung.md) [c](CON.md) ![p](pump%20\u00e4.png)\n",
      "mac/Pru\u0308fung.md": "# Umlaut\n\nText.\n",
      "mac/Pr\u00fcfung.md": "# Other umlaut\n\nText.\n",
      "mac/CON.md": "# Device\n\nText.\n",
      "mac/a?.md": "# Sign\n\nText.\n",
      "mac/IT/x.md": "# X\n\nText.\n",
      "mac/it/y.md": "# Y\n\nText.\n",
      "mac/pump a\u0308.png": png,
    });
    const ran = await offline("import", "mac", "--to-dir", "out");
    expect(ran.stdout).toContain("Import: 7 created");
    const names = readdirSync(join(folder.path, "out/mac"), { recursive: true, encoding: "utf8" });
    expect(names.toSorted()).toEqual(
      [
        "CON-document.md",
        "IT",
        "IT/x.md",
        "IT/y.md",
        "Pr\u00fcfung 2.md",
        "Pr\u00fcfung.md",
        "a-.md",
        "a.md",
      ].toSorted(),
    );
    const [, umlaut] = /\[b\]\(([^)]+)\)/.exec(read("out/mac/a.md")) ?? [];
    expect(read(`out/mac/${decodeURI(umlaut ?? "")}`)).toContain("Umlaut");
    expect(read("out/mac/a.md")).toMatch(/\[c\]\(CON-document\.md\) !\[p\]\(\.\.\/assets\/[0-9a-f]{16}\.png\)/);
  });

  it("reads a page in Confluence's storage format", async () => {
    folder.write({
      "space/page.xml": '<p>Look:</p><ac:image><ri:attachment ri:filename="pump (2) \u00e4.png"/></ac:image>',
      "space/pump (2) a\u0308.png": png,
    });
    expect((await offline("import", "space", "--to-dir", "out", "--from", "confluence")).code).toBe(0);
    expect(read("out/space/page.md")).toMatch(/!\[[^\]]*\]\(\.\.\/assets\/[0-9a-f]{16}\.png\)/);
  });

  it("leaves out HTML beside Markdown in one folder, not in another", async () => {
    const page = "<h1>Page</h1><p>Text of the page.</p>";
    folder.write({ "site/a.md": "# A\n\nText.\n", "site/a.html": page, "pages/b.html": page });
    const ran = await offline("import", "site", "pages", "--to-dir", "out");
    expect([ran.code, ran.stdout.split("\n").filter((line) => line.startsWith("x"))]).toEqual([
      0,
      [expect.stringMatching(/^x skip +site\/a\.html +HTML next to Markdown/)],
    ]);
    expect(existsSync(join(folder.path, "out/pages/b.md"))).toBe(true);
  });

  it("never reads what it wrote: a folder in its source, or the source itself", async () => {
    const home = makeFolder({ "a.md": "# A\n\nText.\n" });
    const run = (...args: string[]) => runSop(["import", ...args], { cwd: home.path });
    expect((await run(".", "--to-dir", "out")).stdout).toMatch(/^\+ create[^\n]*\nImport: 1 created\./);
    expect((await run(".", "--to-dir", "out")).stdout).toMatch(/^Import: 1 unchanged\./);
    const itself = await run("out", "--to-dir", "out");
    home.remove();
    expect(itself).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("imported into itself") });
  });

  it("two sources of one name do not write over each other", async () => {
    folder.write({ "a.md": "# From Markdown\n", "a.html": "<h1>From HTML</h1><p>x</p>" });
    rmSync(join(folder.path, "out"), { recursive: true, force: true });
    await offline("import", "a.md", "a.html", "--to-dir", "out");
    expect([read("out/a.md"), read("out/a-2.md")].map((text) => /title: "(.*)"/.exec(text)?.[1]).toSorted()).toEqual([
      "From HTML",
      "From Markdown",
    ]);
  });
});
