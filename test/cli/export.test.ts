import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { goodToken, refusal, startFakeServer, type FakeServer } from "./fake-server.ts";
import { makeFolder, runSop, type Folder } from "./run-sop.ts";

let server: FakeServer;
let folder: Folder;
const sha = "ab".repeat(32);
const texts = ["# One\n", `![x](../../assets/ab/${sha}.png)\n`, "# Three\n", "# Four\n", "# Five\n"];

beforeEach(async () => {
  server = await startFakeServer();
  folder = makeFolder();
  for (const [index, text] of texts.entries()) {
    const number = `SOP-000${index + 1}`;
    const id = `00000000-0000-7000-8000-00000000000${index + 1}`;
    server.sops.set(`doc-${index + 1}.md`, { id, number, sha256: "", text, version: 1 });
  }
  server.intercept = ({ path }) =>
    path === `/api/assets/${sha}.png`
      ? { body: Uint8Array.of(0x89, 0x50, 0xff), headers: { "content-type": "image/png" } }
      : null;
});
afterEach(async () => {
  folder.remove();
  await server.close();
});

const sop = (...args: string[]) =>
  runSop(args, { cwd: folder.path, env: { SOP_SERVER: server.url, SOP_TOKEN: goodToken } });
const files = (name: string) =>
  readdirSync(join(folder.path, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder.path, name).length + 1))
    .sort();
const leftovers = () => readdirSync(folder.path).filter((name) => name.includes("sop-export") || name.includes(".tmp"));

describe("sop export", () => {
  it("writes every page of the list with the repository's paths, pictures included", async () => {
    const ran = await sop("export", "-o", "out");
    expect(ran).toEqual({ code: 0, stdout: "Exported 5 SOPs to out\n", stderr: "" });
    expect(files("out")).toEqual([
      ".sop-export.json",
      `assets/ab/${sha}.png`,
      "sops/safety-protocols/sop-0001-doc-1.md",
      "sops/uncategorized/sop-0002-doc-2.md",
      "sops/uncategorized/sop-0003-doc-3.md",
      "sops/uncategorized/sop-0004-doc-4.md",
      "sops/uncategorized/sop-0005-doc-5.md",
    ]);
    expect(readFileSync(join(folder.path, "out/sops/uncategorized/sop-0003-doc-3.md"), "utf8")).toBe(texts[2]);
    expect([...readFileSync(join(folder.path, `out/assets/ab/${sha}.png`))]).toEqual([0x89, 0x50, 0xff]);
    expect(leftovers()).toEqual([]);
  });

  it("keeps existing files, unless forced", async () => {
    folder.write({ "out/mine.txt": "mine", "out/sops/uncategorized/sop-0003-doc-3.md": "old" });
    const refused = await sop("export", "-o", "out");
    expect(refused).toEqual({
      code: 2,
      stdout: "",
      stderr: "error: out is not empty\n  choose another place, or add --force\n",
    });
    expect(server.seen).toEqual([]);
    expect((await sop("export", "-o", "out", "--force")).code).toBe(0);
    expect(files("out")).toHaveLength(8);
    expect(readFileSync(join(folder.path, "out/sops/uncategorized/sop-0003-doc-3.md"), "utf8")).toBe(texts[2]);
    writeFileSync(join(folder.path, "x.md"), "taken");
    expect((await sop("export", "SOP-0001", "-o", "x.md")).stderr).toContain("x.md exists");
    mkdirSync(join(folder.path, "empty"));
    expect((await sop("export", "-o", "empty")).code).toBe(0);
  });

  it.each([
    ["md", "tea", ".md"],
    ["html", "tea", ".html"],
    ["site", "sops/tea", ".html"],
  ])("of format %s into a folder with an earlier one removes what only that one wrote", async (format, tea, ending) => {
    const path = (name: string) => `${tea.replace("tea", name)}${ending}`;
    const run = (...ids: string[]) =>
      sop("export", ...ids, "--from-dir", "in", "--format", format, "-o", "out", "--force", "--json");
    const names = ["tea", "cup", "pot", "lid"];
    folder.write(Object.fromEntries(names.map((name) => [`in/${name}.md`, `# ${name}\n\nWash the ${name}.\n`])));
    folder.write({ "out/sops/mine.html": "mine", "out/CNAME": "sops.example.org" });
    expect((await run()).code).toBe(0);
    const before = files("out");
    expect(before).toEqual(expect.arrayContaining([...names.map(path), "CNAME", "sops/mine.html"]));
    folder.write({ [`out/${path("lid")}`]: "changed by hand" });
    renameSync(join(folder.path, "in/cup.md"), join(folder.path, "in/mug.md"));
    for (const name of ["pot", "lid"]) rmSync(join(folder.path, `in/${name}.md`));
    // a part of a folder of documents leaves the others alone
    if (format !== "site") {
      await run("tea");
      expect(files("out")).toEqual(before);
    }
    const ran = await run();
    expect(JSON.parse(ran.stdout)).toMatchObject({ data: { removed: [path("cup"), path("pot")] } });
    const gone = new Set(["cup", "pot"].map(path));
    expect(files("out")).toEqual([...before.filter((name) => !gone.has(name)), path("mug")].sort());
    expect(readFileSync(join(folder.path, "out", path("lid")), "utf8")).toBe("changed by hand");
    expect(ran.stderr).toContain(`kept ${path("lid")}: it was changed since the earlier export`);
    // the server has none to export
    server.sops.clear();
    expect((await sop("export", "--format", format, "-o", "out", "--force")).stderr).toContain("Nothing to export.");
    expect(files("out")).toEqual(expect.arrayContaining(["CNAME", "sops/mine.html", path("lid")]));
    expect(files("out")).not.toEqual(expect.arrayContaining([path("tea")]));
    expect(files("out")).not.toEqual(expect.arrayContaining([path("mug")]));
  });

  it("removes nothing outside of the folder, also if its list names it", async () => {
    const { createHash } = await import("node:crypto");
    const hash = createHash("sha256").update("mine").digest("hex");
    folder.write({ "mine.txt": "mine", "out/x.md": "mine", "out/y.md": "mine" });
    symlinkSync(folder.path, join(folder.path, "out/up"));
    symlinkSync(join(folder.path, "out/y.md"), join(folder.path, "out/z.md"));
    const md = {
      "../mine.txt": hash,
      "up/mine.txt": hash,
      [join(folder.path, "mine.txt")]: hash,
      "z.md": hash,
      "x.md": hash,
    };
    folder.write({ "out/.sop-export.json": JSON.stringify({ schema: 1, formats: { md } }) });
    expect((await sop("export", "-o", "out", "--force")).code).toBe(0);
    expect(existsSync(join(folder.path, "out/x.md"))).toBe(false);
    expect(readFileSync(join(folder.path, "mine.txt"), "utf8")).toBe("mine");
    expect(readFileSync(join(folder.path, "out/z.md"), "utf8")).toBe("mine");
    for (const broken of ["{", '{"schema":1}', '{"schema":2,"formats":{}}', '{"schema":1,"formats":{"md":["y.md"]}}']) {
      folder.write({ "out/.sop-export.json": broken });
      expect((await sop("export", "-o", "out", "--force")).code).toBe(0);
    }
    expect(existsSync(join(folder.path, "out/y.md"))).toBe(true);
  });

  it("one document goes to stdout or into a file", async () => {
    expect(await sop("export", "sop-0003")).toEqual({ code: 0, stdout: "# Three\n", stderr: "" });
    await sop("export", "00000000-0000-7000-8000-000000000004", "-o", "four.md");
    expect(readFileSync(join(folder.path, "four.md"), "utf8")).toBe("# Four\n");
    expect((await sop("export")).stderr).toContain("5 SOPs don't fit into one file\n  name a folder: -o <folder>");
  });

  it("writes JSON", async () => {
    const { stdout } = await sop("export", "--format", "json", "SOP-0002", "SOP-0001");
    const { schema, data } = JSON.parse(stdout) as { schema: string; data: { number: string; markdown: string }[] };
    expect(schema).toBe("sop.export/1");
    expect(data.map(({ number, markdown }) => [number, markdown])).toEqual([
      ["SOP-0002", texts[1]],
      ["SOP-0001", texts[0]],
    ]);
    await sop("export", "--format", "json", "-o", "all.json");
    expect(JSON.parse(readFileSync(join(folder.path, "all.json"), "utf8"))).toMatchObject({ data: { length: 5 } });
  });

  it("asks for the given status", async () => {
    await sop("export", "--status", "archived", "-o", "out");
    expect(server.seen.find(({ path }) => path === "/api/sops")?.query.get("status")).toBe("archived");
  });

  it("asks for tag, owner, team and language, also where an SOP is named", async () => {
    const flags = ["--tag", "hot", "--owner", "ann", "--team", "kitchen", "--lang", "de"];
    await sop("export", "SOP-0001", ...flags, "-o", "out.md");
    const asked = server.seen.find(({ path }) => path === "/api/sops")?.query;
    expect(["tag", "owner", "team", "lang"].map((name) => asked?.get(name))).toEqual(["hot", "ann", "kitchen", "de"]);
    expect(await sop("export", "--from-dir", ".", "--tag", "hot")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--tag asks the server"),
    });
  });

  it("an unknown one is 2, and nothing is written", async () => {
    const ran = await sop("export", "SOP-0001", "SOP-0099", "-o", "out");
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("SOP SOP-0099 isn't published, or you can't see it"),
    });
    expect(existsSync(join(folder.path, "out"))).toBe(false);
  });

  it("a failure half-way leaves nothing behind", async () => {
    server.intercept = ({ path }) => (path.endsWith("4/export") ? refusal("busy") : null);
    expect((await sop("export", "SOP-0003", "SOP-0004", "SOP-0005", "-o", "out")).code).toBe(5);
    expect(existsSync(join(folder.path, "out"))).toBe(false);
    expect(leftovers()).toEqual([]);
  });

  it("^C half-way leaves nothing behind", async () => {
    let kill: (signal: NodeJS.Signals) => void = () => {};
    server.intercept = async ({ path }) => {
      if (!path.endsWith("4/export")) return null;
      kill("SIGINT");
      return await new Promise(() => {});
    };
    const ran = await runSop(["export", "SOP-0003", "SOP-0004", "-o", "out"], {
      cwd: folder.path,
      env: { SOP_SERVER: server.url, SOP_TOKEN: goodToken },
      started: (send) => (kill = send),
    });
    expect(ran).toEqual({ code: 130, stdout: "", stderr: "error: interrupted\n" });
    expect(existsSync(join(folder.path, "out"))).toBe(false);
    expect(leftovers()).toEqual([]);
  });

  it("a hostile server can't name a file outside of the folder", async () => {
    server.intercept = ({ path }) =>
      path === "/api/categories" ? { body: [{ id: "k1", slug: "../../../../escaped" }] } : null;
    const ran = await sop("export", "SOP-0001", "-o", "out/deep");
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain("the server names a file outside the folder");
    expect(existsSync(join(folder.path, "escaped"))).toBe(false);
  });
});
