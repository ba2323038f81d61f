/** `sop ci` reviews what a branch changes. What it prints can be a stranger's text, read by people who decide. */
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callSop, makeFolder, type Folder } from "./run-sop.ts";

const hasGit = ["/usr/bin/git", "/usr/local/bin/git", "/bin/git"].some(existsSync);
const text = `---\ntitle: "Rinse"\nowner: "eve"\n---\n\n## Purpose\n\nClean.\n\n## Procedure\n\n1. Open the tap.\n`;

describe.runIf(hasGit)("sop ci", { timeout: 120_000 }, () => {
  let folder: Folder;
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Eve", "-c", "user.email=eve@example.org", ...args], {
      cwd: folder.path,
      encoding: "utf8",
    });
  const sop = (args: string[], env: Record<string, string> = {}) => callSop(["ci", ...args], { cwd: folder.path, env });
  const read = (name: string) => readFileSync(join(folder.path, name), "utf8");

  beforeEach(() => {
    folder = makeFolder({ "sops/it/rinse.md": text, "sops/it/same.md": text, "sop.config.yaml": "preset: minimal\n" });
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-qm", "Start");
    git("checkout", "-q", "-b", "change");
  });
  afterEach(() => folder.remove());

  it("shows issues, changed lines and a preview of what the branch changed, and nothing else", async () => {
    folder.write({ "sops/it/rinse.md": text.replace("Open the tap.", "TODO"), "sops/it/new.md": text });
    git("add", ".");
    git("commit", "-qm", "Change");
    const { code, stdout } = await sop(["sops", "--base", "main"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^## SOPs\n\n2 documents changed, \d+ errors?, \d+ warnings?, compared with `main`\./);
    expect(stdout).toMatch(/\| sops\/it\/rinse\.md:12 \| error \| .*TODO.* \| text\/placeholder \|/);
    expect(stdout).toContain("-1. Open the tap.\n+1. TODO\n");
    expect(stdout).toContain("### sops/it/new.md (new)\n\n<details><summary>Preview</summary>");
    expect(stdout).toContain("No token, so the import was not planned.");
    expect(stdout).not.toContain("same.md");
    const { data } = JSON.parse((await sop(["sops", "--base", "main", "--json"])).stdout) as {
      data: { files: { path: string; isNew: boolean }[] };
    };
    expect(data.files.map(({ path, isNew }) => [path, isNew])).toEqual([
      ["sops/it/new.md", true],
      ["sops/it/rinse.md", false],
    ]);
  });

  it("lets no text leave its place, run a script or notify people", async () => {
    const hostile = `${text}\n\`\`\`\`\n\`\`\`\n\nTwo lines\n\`\`\`\`\n\n</details><script>alert(1)</script> @everyone <img src=x onerror=alert(1)>\n`;
    folder.write({ "sops/it/rinse.md": hostile });
    const { stdout } = await sop(["sops", "--base", "main"]);
    const [, changes = "", preview = ""] = stdout.split("<details>");
    expect(changes).toMatch(/\n`````diff\n[^]*\n`````\n\n<\/details>\n/);
    expect(preview).not.toMatch(/<script|onerror|@everyone/);
    expect(preview).toContain("@\u2060everyone");
    expect(preview.match(/<\/details>/g)).toHaveLength(1);
    // an empty line would end the block of HTML
    expect(preview.slice(preview.indexOf("\n\n") + 2, preview.indexOf("\n</details>")).trimEnd()).not.toContain("\n\n");
  });

  it("writes to the summary of a GitHub step and to a file, with the base that the platform names", async () => {
    git("update-ref", "refs/remotes/origin/main", "main");
    folder.write({ "sops/it/new.md": text, summary: "before\n" });
    const env = { GITHUB_BASE_REF: "main", GITHUB_STEP_SUMMARY: join(folder.path, "summary") };
    const { stdout } = await sop(["sops", "-o", "review.md"], env);
    expect(stdout).toMatch(/^1 document changed, .*: see review\.md, the summary of this step\n$/);
    expect(read("summary")).toBe(`before\n${read("review.md")}`);
    expect(await sop(["sops"], { GITHUB_BASE_REF: "gone" })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("fetch-depth: 0"),
    });
  });

  it("comments on a GitLab merge request once, and changes that comment later", async () => {
    const notes: { id: number; body: string }[] = [{ id: 1, body: "Looks good" }];
    const calls: string[] = [];
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      calls.push(`${request.method} ${request.url} ${request.headers["private-token"]}`);
      const sent = body === "" ? null : (JSON.parse(body) as { body: string });
      const id = Number(/notes\/(\d+)$/.exec(request.url ?? "")?.[1] ?? 0);
      if (request.headers["private-token"] !== "t0ken") return void response.writeHead(401).end("{}");
      if (request.method === "POST") notes.push({ id: 2, body: sent?.body ?? "" });
      if (request.method === "PUT") Object.assign(notes.find((note) => note.id === id) ?? {}, sent);
      response.end(JSON.stringify(notes));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    try {
      const { port } = server.address() as AddressInfo;
      const env = {
        CI_MERGE_REQUEST_DIFF_BASE_SHA: git("rev-parse", "main").trim(),
        CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
        CI_PROJECT_ID: "7",
        CI_MERGE_REQUEST_IID: "3",
        SOP_COMMENT_TOKEN: "t0ken",
      };
      folder.write({ "sops/it/new.md": text });
      expect((await sop(["sops"], env)).stdout).toContain("see a comment on merge request 3");
      folder.write({ "sops/it/newer.md": text });
      await sop(["sops"], env);
      expect(notes.map(({ body }) => body.split("\n")[3] ?? body)).toEqual([
        "Looks good",
        expect.stringMatching(/^2 documents changed/),
      ]);
      const at = "/api/v4/projects/7/merge_requests/3/notes";
      const list = `GET ${at}?per_page=100&sort=desc t0ken`;
      expect(calls).toEqual([list, `POST ${at} t0ken`, list, `PUT ${at}/2 t0ken`]);
      expect(await sop(["sops"], { ...env, SOP_COMMENT_TOKEN: "wrong" })).toMatchObject({
        code: 5,
        stderr: expect.stringContaining("GitLab answered 401"),
      });
    } finally {
      server.close();
    }
  });
});
