/** `--fix`, `--unsafe-fixes`, `--diff`, the cache, the baseline, `--changed` and `--watch`. */
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { node } from "../node-program.ts";
import { callSop, makeFolder, project, runSop, type Folder } from "./run-sop.ts";

let folder: Folder;
beforeEach(() => {
  folder = makeFolder({ "sop.config.yaml": "preset: minimal\n" });
});
afterEach(() => folder.remove());

const sop = (...args: string[]) => callSop(["lint", ...args], { cwd: folder.path });
const read = (name: string) => readFileSync(join(folder.path, name), "utf8");

const head = '---\ntitle: "Reset"\ndescription: "How to reset."\nowner: "grace"\n---\n\n';
const clean = `${head}## Procedure\n\n1. Press the button.\n`;
const titled = `${head}# Reset\n\n## Procedure\n\n1. Press the button.\n`;
const skipping = `${head}## Procedure\n\n#### Deep\n\n1. Press the button.\n`;
const dead = (to: string) => `${head}## Procedure\n\n1. See [b](b.md#${to}).\n`;
const target = `${head}## Procedure\n\n### Deep end\n\n1. Press.\n`;

describe("--fix", () => {
  it("writes safe fixes, keeps the mode, and finds nothing to fix afterwards", async () => {
    folder.write({ "a.md": titled, "b.md": skipping, "crlf.md": titled.replaceAll("\n", "\r\n"), "c.md": clean });
    chmodSync(join(folder.path, "a.md"), 0o640);
    const before = statSync(join(folder.path, "c.md")).mtimeMs;
    expect(await sop("--fix")).toEqual({
      code: 0,
      stdout: "",
      stderr: "0 errors, 0 warnings in 4 files; 3 fixed\n",
    });
    expect(read("a.md")).toBe(clean);
    expect(read("b.md")).toBe(skipping.replace("####", "###"));
    expect(read("crlf.md")).toBe(clean.replaceAll("\n", "\r\n"));
    expect(statSync(join(folder.path, "a.md")).mode & 0o777).toBe(0o640);
    expect(statSync(join(folder.path, "c.md")).mtimeMs).toBe(before);
    expect((await sop("--fix")).stderr).toBe("0 errors, 0 warnings in 4 files\n");
    expect(readdirSync(folder.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("leaves a file alone where a fix would change the markup of another tool, and names it", async () => {
    const text = `${head}## Procedure\n\n1. Add {{< dose 5mg >}} of it.\n`;
    folder.write({ "sop.config.yaml": "preset: recommended\n", "a.md": text });
    const ran = await sop("--fix");
    expect(read("a.md")).toBe(text);
    expect(ran.stderr).toContain(
      "a.md: left as it is, a fix would change what is written for another tool ({{< dose 5mg >}}, line 9)",
    );
    expect(ran.code).toBe(3);
  });

  it("keeps unsafe fixes for --unsafe-fixes, those across files too", async () => {
    folder.write({ "a.md": dead("deap-end"), "b.md": target });
    expect((await sop("--fix")).code).toBe(1);
    expect(read("a.md")).toBe(dead("deap-end"));
    expect(await sop("--unsafe-fixes")).toMatchObject({
      code: 0,
      stderr: "0 errors, 0 warnings in 2 files; 1 fixed\n",
    });
    expect(read("a.md")).toBe(dead("deep-end"));
  });

  it("moves a leading title into the front matter and keeps all other levels", async () => {
    folder.write({ "a.md": "# Reset a pump\n\n## Procedure\n\n### Part\n\n1. Press.\n" });
    await sop("--fix");
    expect(read("a.md")).toBe('---\ntitle: "Reset a pump"\n---\n\n## Procedure\n\n### Part\n\n1. Press.\n');
  });

  it("leaves what a fix would change beyond its rule's promise, and says that a suggested fix is left", async () => {
    const longer = `${head}## Procedure\n\n9. Open it.\n\n   Wait.\n9. Close it.\n11. Lock it.\n\n    Done.\n`;
    const second = `${head}# Other\n\n## Procedure\n\n1. Press.\n`;
    folder.write({ "a.md": longer, "b.md": second });
    const ran = await sop("--fix");
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/; \d with a suggested fix \(--unsafe-fixes\)\n$/);
    expect(read("b.md")).toBe(second);
    expect(read("a.md")).toContain("    Done.\n");
  });

  it("--diff writes nothing and shows what would be written; json holds it too", async () => {
    folder.write({ "a.md": titled, "b.md": clean });
    const ran = await sop("--diff");
    expect(ran.stdout).toContain("--- a/a.md\n+++ b/a.md\n");
    expect(ran.stdout).toContain("\n-# Reset\n");
    expect(ran.stderr).toBe("0 errors, 0 warnings in 2 files; 1 would be fixed\n");
    expect(read("a.md")).toBe(titled);
    const { data } = JSON.parse((await sop("--diff", "--json")).stdout) as { data: { files: object[] } };
    expect(data.files[0]).toMatchObject({ fixed: 1, findings: [], diff: ran.stdout });
    expect(data.files[1]).not.toHaveProperty("diff");
  });

  it("fixes stdin to stdout and lists the rest on stderr", async () => {
    const ran = await runSop(["lint", "-", "--fix"], {
      cwd: folder.path,
      input: titled.replace("Press", "TODO: press"),
    });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toBe(clean.replace("Press", "TODO: press"));
    expect(ran.stderr).toContain("text/placeholder");
    expect((await runSop(["lint", "-", "--fix"], { cwd: folder.path, input: clean })).stdout).toBe(clean);
  });

  it.skipIf(process.getuid?.() === 0)("says which files it could not write, and writes the others", async () => {
    folder.write({ "locked/a.md": titled, "b.md": titled });
    chmodSync(join(folder.path, "locked"), 0o500);
    const ran = await sop("--fix");
    chmodSync(join(folder.path, "locked"), 0o700);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain("permission denied");
    expect(read("b.md")).toBe(clean);
  });
});

describe("the cache", () => {
  /** Runs the program and names the modules it loaded. */
  const modules = async (...args: string[]) => {
    const hook = join(folder.path, "hook.mjs");
    const list = join(folder.path, "loaded.txt");
    writeFileSync(
      hook,
      `import { registerHooks } from "node:module"; import { appendFileSync } from "node:fs";
       registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + "\\n"); return next(url, context); } });`,
    );
    writeFileSync(list, "");
    const ran = await runSop(["lint", ...args], {
      cwd: folder.path,
      env: { NODE_OPTIONS: `--import ${hook}` },
    });
    // a list of names of HTML elements is no parser
    const parser = /micromark(?!-util-html-tag-name)|from-markdown|core\/lint\/engine/g;
    return { ran, parsers: read("loaded.txt").match(parser) ?? [] };
  };

  it("answers for unchanged files without loading a parser", async () => {
    folder.write({ "a.md": titled, "b.md": dead("nowhere") });
    const cold = await modules("--json");
    const warm = await modules("--json");
    expect(cold.parsers.length).toBeGreaterThan(0);
    expect(warm.parsers).toEqual([]);
    expect(warm.ran).toEqual(cold.ran);
    expect(read(".sop/cache/.gitignore")).toBe("*\n");
  });

  it("forgets a file that changed, and answers of other options", async () => {
    folder.write({ "a.md": clean, "b.md": skipping });
    await sop();
    folder.write({ "a.md": titled });
    expect((await sop()).stderr).toBe("1 error, 1 warning in 2 files; --fix repairs 2\n");
    expect((await sop("--rule", "struct/heading-increment=off")).stderr).toBe(
      "1 error, 0 warnings in 2 files; --fix repairs 1\n",
    );
    folder.write({ "sop.config.yaml": "preset: minimal\nrules:\n  struct/no-h1: warning\n" });
    expect((await sop()).stderr).toBe("0 errors, 2 warnings in 2 files; --fix repairs 2\n");
    expect((await sop("--no-cache")).stderr).toBe("0 errors, 2 warnings in 2 files; --fix repairs 2\n");
  });

  it("checks neighbors again: an unchanged file misses a heading that was removed", async () => {
    folder.write({ "a.md": dead("deep-end"), "b.md": target });
    expect((await sop()).code).toBe(0);
    folder.write({ "b.md": target.replace("Deep end", "Shallow") });
    expect((await sop("--format", "compact")).stdout).toMatch(/^a\.md:9:\d+: error: .*\[ref\/internal-link\]\n$/);
  });

  it.each(["", "nonsense\n", "cut"])("a cache that is broken is none: %j", async (text) => {
    folder.write({ "a.md": titled, "b.md": clean });
    const first = await sop("--json");
    const file = join(folder.path, ".sop/cache/lint");
    const whole = readFileSync(file, "utf8");
    writeFileSync(file, text === "cut" ? whole.slice(0, -40) : text);
    expect((await sop("--json")).stdout).toBe(first.stdout);
    writeFileSync(file, whole.replaceAll('{"', '{{"'));
    expect((await sop("--json")).stdout).toBe(first.stdout);
  });

  it("leaves folders alone that are no workspace, and does without where it can't write", async () => {
    const other = makeFolder({ "a.md": clean });
    const cache = join(other.path, "elsewhere");
    const env = { XDG_CACHE_HOME: cache };
    await callSop(["lint"], { cwd: other.path, env });
    expect(readdirSync(other.path)).toEqual(["a.md", "elsewhere"]);
    expect(existsSync(join(cache, "sopwright/lint"))).toBe(true);
    const none = await callSop(["lint", "--preset", "minimal"], {
      cwd: other.path,
      env: { XDG_CACHE_HOME: join(other.path, "a.md") },
    });
    expect(none.code).toBe(0);
    expect(none.stderr).toMatch(/^0 errors, 0 warnings in 1 file\n/);
    other.remove();
  });

  it("threads find what one thread finds", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1_100 }, (_, index) => [
        `many/${index}.md`,
        index % 3 === 0 ? titled : `${clean}\nNumber ${index}.\n`,
      ]),
    );
    folder.write(files);
    const ran = await sop("--json", "--no-cache");
    const { data } = JSON.parse(ran.stdout) as { data: { totals: object; files: { findings: { rule: string }[] }[] } };
    expect(data.totals).toMatchObject({ files: 1_100, error: 367 });
    expect((await sop("--json")).stdout).toBe(ran.stdout);
  });
});

describe("--baseline", () => {
  it("hides what it knows and shows what is new, however lines move", async () => {
    folder.write({ "a.md": titled, "b.md": skipping });
    const written = await sop("--baseline", "lint-baseline.json", "--update-baseline");
    expect(written).toMatchObject({ code: 0, stdout: "" });
    expect(written.stderr).toContain("2 issues written to lint-baseline.json\n");
    const known = await sop("--baseline", "lint-baseline.json");
    expect(known).toMatchObject({ code: 0, stdout: "" });
    expect(known.stderr).toMatch(/^0 errors, 0 warnings in 2 files; 2 in the baseline\n/);
    folder.write({ "a.md": titled.replace("# Reset", "Words.\n\n# Reset\n\nTODO") });
    const later = await sop("--baseline", "lint-baseline.json", "--format", "compact");
    expect(later.stdout).toMatch(/^a\.md:11:1: error: .*\[text\/placeholder\]\n$/);
    folder.write({ "a.md": clean });
    expect((await sop("--baseline", "lint-baseline.json")).stderr).toContain(
      "1 issues of the baseline no longer occur: --update-baseline removes them",
    );
  });
});

describe("--changed", () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: folder.path });
  const changed = async (...args: string[]) => {
    const ran = await sop("--json", ...args);
    const { data } = JSON.parse(ran.stdout) as { data: { files: { path: string }[] } | null };
    return { code: ran.code, stderr: ran.stderr, paths: data?.files.map(({ path }) => path) };
  };

  it("asks git: since the last commit, or since a branch was left", async () => {
    folder.write({ ".gitignore": "ignored.md\n", "a.md": clean, "sub/b.md": clean, "gone.md": clean });
    git("init", "-q", "-b", "main");
    expect((await changed("--changed")).paths).toEqual(["a.md", "gone.md", "sub/b.md"]);
    git("add", "-A");
    git("commit", "-qm", "one");
    expect(await changed("--changed")).toMatchObject({ code: 0, paths: [] });
    git("checkout", "-qb", "work");
    appendFileSync(join(folder.path, "sub/b.md"), "\nMore.\n");
    git("commit", "-qam", "two");
    folder.write({ "größe.md": clean, "ignored.md": clean });
    git("rm", "-q", "gone.md");
    expect((await changed("--changed")).paths).toEqual(["größe.md"]);
    expect((await changed("--changed", "main")).paths).toEqual(["größe.md", "sub/b.md"]);
    expect((await changed("sub", "--changed", "main")).paths).toEqual(["sub/b.md"]);
    const wrong = await changed("--changed", "sub");
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain("sub is a path: write it before --changed");
    expect((await changed("--changed", "--upload-pack=x")).code).toBe(2);
  });
});

describe("--watch", () => {
  it("lists issues again when a file or the config changes, survives a broken config, and ends at ^C", async () => {
    folder.write({ "a.md": titled });
    const child = spawn(node, [join(project, "cli/main.ts"), "lint", "--watch"], {
      cwd: folder.path,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder.path },
    });
    let text = "";
    child.stdout.on("data", (data: Buffer) => (text += data.toString()));
    child.stderr.on("data", (data: Buffer) => (text += data.toString()));
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const says = async (words: string) => {
      await expect.poll(() => text).toMatch(new RegExp(`${words}[^]*watching`));
      text = "";
    };
    await says("1 error, 0 warnings in 1 file");
    folder.write({ "a.md": clean });
    await says("0 errors, 0 warnings in 1 file");
    folder.write({ "sub/b.md": titled });
    await says("1 error, 0 warnings in 2 files");
    folder.write({ "sop.config.yaml": "preset: nope\n" });
    await says("preset is one of");
    folder.write({ "sop.config.yaml": "preset: minimal\nrules:\n  struct/no-h1: off\n" });
    await says("0 errors, 0 warnings in 2 files");
    child.kill("SIGINT");
    expect(await ended).toBe(130);
  });
});
