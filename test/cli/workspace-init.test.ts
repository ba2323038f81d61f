/** `sop init` and `sop new`: a writer starts without a server. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { node } from "../node-program.ts";
import { callSop, makeFolder, project, runSop, type Folder } from "./run-sop.ts";

let folder: Folder;
beforeEach(() => (folder = makeFolder()));
afterEach(() => folder.remove());

const sop = (...args: string[]) => callSop(args, { cwd: folder.path, env: { USER: "Ada L" } });
const read = (path: string) => readFileSync(join(folder.path, path), "utf8");
const git = (...args: string[]) => spawnSync("git", args, { cwd: folder.path, encoding: "utf8" });

describe("sop init", () => {
  test("writes a config that is valid, with a schema for editors, and a workspace that is clean", async () => {
    const ran = await sop("init");
    expect(ran).toEqual({
      code: 0,
      stdout: `+ sop.config.yaml\n+ sop.config.schema.json\n+ templates/standard.md\n+ .gitignore\n+ .sopignore\nNext: sop new "Your first procedure"\n`,
      stderr: "",
    });
    expect(parse(read("sop.config.yaml"))).toEqual({ schema: 1, preset: "recommended" });
    expect(JSON.parse(read("sop.config.schema.json"))).toMatchObject({ type: "object", title: "sop.config.yaml" });
    expect(read("sop.config.yaml")).toContain("$schema=./sop.config.schema.json");
    folder.write({ "README.md": "# TODO\n\nno SOP\n" });
    expect((await sop("lint")).code).toBe(0);
    expect((await sop("fmt", "--check")).code).toBe(0);
    expect((await sop("status")).code).toBe(0);
  });

  test("exits with 2 for an existing workspace and keeps it; --force writes it again; other files are kept", async () => {
    folder.write({
      "sub/sop.config.yaml": "preset: minimal\n",
      "sub/.gitignore": "mine\n.sop/\n",
      "sub/templates/standard.md": "own\n",
    });
    const refused = await sop("init", "sub");
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("sub/sop.config.yaml exists: this is already a workspace");
    expect(read("sub/sop.config.yaml")).toBe("preset: minimal\n");
    expect(existsSync(join(folder.path, "sub/sop.config.schema.json"))).toBe(false);
    folder.write({ "other/.gitignore": "mine\n.sop/", "other/templates/standard.md": "own\n" });
    const kept = await sop("init", "other");
    expect(kept.code).toBe(0);
    expect(kept.stdout).toContain("Next: cd other && sop new");
    expect(kept.stderr).toContain("templates/standard.md already exists and stays as it is");
    expect(read("other/.gitignore")).toBe("mine\n.sop/\n*.md.merge\n");
    expect(read("other/templates/standard.md")).toBe("own\n");
    expect((await sop("init", "sub", "--force")).code).toBe(0);
    expect(read("sub/sop.config.yaml")).toContain("preset: recommended");
  });

  test("bad input: a file for a folder, hooks without git, an unknown service", async () => {
    folder.write({ file: "x" });
    expect(await sop("init", "file")).toMatchObject({ code: 2, stderr: expect.stringContaining("file is a file") });
    expect(await sop("init", "--hooks")).toMatchObject({ code: 2, stderr: expect.stringContaining("add --git") });
    expect((await sop("init", "--ci", "jenkins")).code).toBe(2);
    expect(existsSync(join(folder.path, "sop.config.yaml"))).toBe(false);
  });

  test("--git and --hooks: a commit with a bad document is refused, one with a good document is not", async () => {
    expect((await sop("init", "--git", "--hooks")).code).toBe(0);
    expect(statSync(join(folder.path, ".githooks/pre-commit")).mode & 0o111).toBe(0o111);
    expect(git("config", "core.hooksPath").stdout).toBe(".githooks\n");
    folder.write({
      "bin/sop": `#!/bin/sh\nexec "${node}" "${project}/cli/main.ts" "$@"\n`,
      "sops/it/bad.md": "# TODO\n",
      "notes/todo.md": "TODO\n",
    });
    spawnSync("chmod", ["+x", join(folder.path, "bin/sop")]);
    const env = { ...process.env, PATH: `${join(folder.path, "bin")}:${process.env["PATH"] ?? ""}` };
    const commit = () =>
      spawnSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-m", "x"], {
        cwd: folder.path,
        env,
        encoding: "utf8",
      });
    git("add", ".");
    const refused = commit();
    expect(refused.status).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain("sops/it/bad.md");
    expect(refused.stdout + refused.stderr).not.toContain("notes/todo.md");
    git("rm", "-fq", "sops/it/bad.md");
    expect(commit().status).toBe(0);
  }, 60_000);
});

describe("sop init inside a repository", () => {
  beforeEach(() => void git("init", "--quiet"));

  test("the hook of a workspace in a folder is run, for its own documents", async () => {
    expect((await sop("init", "docs/sop", "--hooks")).code).toBe(0);
    expect(git("config", "core.hooksPath").stdout).toBe("docs/sop/.githooks\n");
    folder.write({
      "bin/sop": `#!/bin/sh\necho "linted $*"\nexit 1\n`,
      "docs/sop/sops/it/bad.md": "# TODO\n",
      "sops/it/other.md": "# TODO\n",
    });
    spawnSync("chmod", ["+x", join(folder.path, "bin/sop")]);
    git("add", ".");
    const env = { ...process.env, PATH: `${join(folder.path, "bin")}:${process.env["PATH"] ?? ""}` };
    const author = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    const refused = spawnSync("git", [...author, "commit", "-m", "x"], { cwd: folder.path, env, encoding: "utf8" });
    expect(refused.status).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain(
      "linted lint docs/sop/sops/it/bad.md docs/sop/templates/standard.md\n",
    );
  });

  test("hooks that are there are not switched off, unless by --force", async () => {
    git("config", "core.hooksPath", ".husky");
    const taken = await sop("init", "--hooks");
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining("git runs the hooks in .husky here") });
    expect(existsSync(join(folder.path, "sop.config.yaml"))).toBe(false);
    git("config", "--unset", "core.hooksPath");
    folder.write({ ".git/hooks/commit-msg": "#!/bin/sh\n" });
    expect(await sop("init", "--hooks")).toMatchObject({ code: 2, stderr: expect.stringContaining(".git/hooks") });
    expect((await sop("init", "--hooks", "--force")).code).toBe(0);
    expect(git("config", "core.hooksPath").stdout).toBe(".githooks\n");
    expect((await sop("init", "--hooks", "--force")).code).toBe(0);
  });

  test("files for CI that nothing would read are not written", async () => {
    const ran = await sop("init", "docs", "--ci", "github");
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("docs is inside a repository") });
    expect(existsSync(join(folder.path, "docs"))).toBe(false);
    const gone = await sop("init", "--ci", "github", "--server", "http://127.0.0.1:9");
    expect(gone).toMatchObject({ code: 5, stderr: expect.stringContaining("no answer from http://127.0.0.1:9") });
    expect(existsSync(join(folder.path, "sop.config.yaml"))).toBe(false);
  });
});

describe("sop new", () => {
  beforeEach(async () => void (await sop("init")));

  test("the standard template: lint says what is still to be written, and nothing else", async () => {
    const ran = await sop("new", "Reset a user's password", "--category", "IT Operations");
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain("+ sops/it-operations/reset-a-users-password.md\n");
    const text = read("sops/it-operations/reset-a-users-password.md");
    expect(text).toMatch(
      /^---\ntitle: "Reset a user's password"\ndescription: ""\nowner: "ada-l"\nlang: "en"\n---\n\n## Purpose\n/,
    );
    const linted = JSON.parse((await sop("lint", "sops", "--format", "json")).stdout) as {
      data: { files: { findings: { rule: string }[] }[] };
    };
    const rules = new Set(linted.data.files.flatMap(({ findings }) => findings.map(({ rule }) => rule)));
    expect([...rules].sort()).toEqual(["meta/required", "text/placeholder"]);
    expect((await sop("fmt", "--check")).code).toBe(0);
  });

  test("a template of the library, of the workspace, an owner, no category", async () => {
    folder.write({
      "templates/visit.md": `---\ntitle: "Visit"\ndescription: "A visit."\nid: "x"\nversion: 3\ntemplate: true\n---\n\n## Purpose\n\nA.\n`,
    });
    expect((await sop("new", "Log in", "--template", "password-reset", "--owner", "eve")).code).toBe(0);
    expect(read("sops/uncategorized/log-in.md")).toMatch(/title: "Log in"\ndescription: "Verify who[^]*owner: "eve"/);
    expect(read("sops/uncategorized/log-in.md")).not.toMatch(/^template:/m);
    expect((await sop("lint", "sops")).code).toBe(0);
    await sop("new", "See us", "--template", "visit");
    expect(read("sops/uncategorized/see-us.md")).toBe(
      `---\ntitle: "See us"\ndescription: "A visit."\nowner: "ada-l"\nlang: "en"\n---\n\n## Purpose\n\nA.\n`,
    );
    const listed = JSON.parse((await sop("new", "--list-templates", "--json")).stdout) as { data: { name: string }[] };
    expect(listed.data.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["password-reset", "standard", "visit"]),
    );
  });

  test("bad input: outside a workspace, no title, a long one, one that is taken, an unknown template", async () => {
    const other = makeFolder();
    const outside = await callSop(["new", "x"], { cwd: other.path });
    expect(outside).toMatchObject({ code: 2, stderr: expect.stringContaining("run `sop init`") });
    other.remove();
    for (const args of [[], [" "], ["x".repeat(201)]])
      expect(await sop("new", ...args)).toMatchObject({ code: 2, stdout: "" });
    await sop("new", "Twice");
    expect(await sop("new", "Twice")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("sops/uncategorized/twice.md exists"),
    });
    const unknown = await sop("new", "x", "--template", "pasword-reset");
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("did you mean password-reset?");
    expect(unknown.stderr).toContain("there are access-request-and-review");
  });

  test("titles that make one file name are counted, the same title is not", async () => {
    for (const title of ["\ud83d\udd25", "\ud83d\udd27", "\u624b\u9806"])
      expect((await sop("new", title)).code).toBe(0);
    expect(read("sops/uncategorized/document-2.md")).toContain('title: "\ud83d\udd27"');
    expect(read("sops/uncategorized/shoushun.md")).toContain('title: "\u624b\u9806"');
    expect((await sop("new", "\u624b\u9806")).code).toBe(2);
  });

  test("--open waits for the editor; without one the document is there all the same", async () => {
    const run = (title: string, env: Record<string, string>) =>
      runSop(["new", title, "--open"], { cwd: folder.path, env: { VISUAL: "", EDITOR: "", ...env } });
    expect(await run("One", { EDITOR: "sed -i s/Purpose/Aim/" })).toMatchObject({ code: 0 });
    expect(read("sops/uncategorized/one.md")).toContain("## Aim");
    expect(await run("Two", {})).toMatchObject({ code: 2, stderr: expect.stringContaining("set VISUAL or EDITOR") });
    expect(existsSync(join(folder.path, "sops/uncategorized/two.md"))).toBe(true);
    expect((await run("Three", { EDITOR: "no-such-editor" })).code).toBe(2);
  });
});
