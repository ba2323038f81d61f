/**
 * The files that `sop init --ci` writes: each of their lines runs here in order, in an empty folder, with the variables
 * that the file gives it. The package comes from a real server.
 */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { node } from "../node-program.ts";
import { npmEnv, packedFile } from "./npm.ts";
import { callSop, makeFolder, programFile, project, type Folder } from "./run-sop.ts";

interface Step {
  name?: string;
  if?: string;
  uses?: string;
  run?: string;
  shell?: string;
  env?: Record<string, string>;
}
interface Workflow {
  on: Record<string, unknown>;
  env?: unknown;
  permissions: Record<string, string>;
  jobs: Record<string, { env?: unknown; steps: Step[] }>;
}
interface Action {
  inputs: Record<string, { default: string }>;
  runs: { steps: Step[] };
}

let server: TestServer;
let editor: TestUser;
let token: string;
let folder: Folder;

beforeAll(async () => {
  packedFile();
  server = await startServer("sqlite");
}, 60_000);
afterAll(() => server.stop());
beforeEach(async () => {
  editor = await (await server.company()).user("editor");
  token = (await editor.client.tokens.create({ body: { name: "ci", scopes: ["sops:read", "sops:write"] } })).token;
  folder = makeFolder({ "tmp/.keep": "" });
});
afterEach(() => folder.remove());

const good = `---\ntitle: "Wash hands"\ndescription: "Clean hands."\nowner: "eve"\n---\n\n## Purpose\n\nHands are clean.\n\n## Scope\n\nEverybody.\n\n## Responsibilities\n\n- **Everybody:** clean hands\n\n## Procedure\n\n1. Open the tap.\n2. Take soap.\n`;
const bad = good.replace("Take soap.", "TODO");
const read = (path: string) => readFileSync(join(folder.path, "ws", path), "utf8");
const init = (...args: string[]) =>
  callSop(["init", "ws", "--server", server.url, "--ci", ...args], { cwd: folder.path });

interface Ended {
  code: number | null;
  output: string;
}

function bash(script: string, env: Record<string, string>, options = ["-e"], cwd = "ws"): Promise<Ended> {
  return new Promise((done, reject) => {
    const child = spawn("bash", ["--noprofile", "--norc", ...options, "-c", script], {
      cwd: join(folder.path, cwd),
      env: { ...npmEnv(folder.path), CI: "true", ...env },
    });
    let output = "";
    child.stdout.on("data", (text: Buffer) => (output += text.toString()));
    child.stderr.on("data", (text: Buffer) => (output += text.toString()));
    child.once("error", reject);
    child.once("close", (code) => done({ code, output }));
  });
}

const inGit = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=Eve", "-c", "user.email=eve@example.org", ...args], {
    cwd: join(folder.path, "ws"),
    encoding: "utf8",
  });

/** The files of `sop init` are on the branch that a change goes to. */
async function branchedOff(): Promise<string> {
  if (!existsSync(join(folder.path, "ws/.git"))) {
    inGit("init", "-q", "-b", "main");
    inGit("add", "sop.config.yaml");
    inGit("commit", "-qm", "Start");
    inGit("update-ref", "refs/remotes/origin/main", "HEAD");
  }
  return inGit("rev-parse", "origin/main").trim();
}

describe("GitHub", { timeout: 240_000 }, () => {
  const summaryFile = () => join(folder.path, "tmp/summary");
  const outputFile = () => join(folder.path, "tmp/output");
  const load = () => ({
    workflow: parse(read(".github/workflows/sops.yml")) as Workflow,
    action: parse(read(".github/actions/sop/action.yml")) as Action,
  });

  /** `${{ inputs.paths }}` and the like, as the service fills them in. */
  function filled(text: string, known: Record<string, string>): string {
    return text.replace(/\$\{\{ *([\w.-]+) *\}\}/g, (whole, name: string) => {
      const value = known[name];
      if (value === undefined) throw new Error(`${whole} is not known to this test`);
      return value;
    });
  }

  /** Checkout and Node are there. An action of this repository is its steps. */
  function stepsOf(event: string): Step[] {
    const { workflow, action } = load();
    const runs = ({ if: condition }: Step) => /event_name == '(\w+)'/.exec(condition ?? "")?.[1] ?? event;
    return Object.values(workflow.jobs)
      .flatMap(({ steps }) => steps)
      .filter((step) => runs(step) === event)
      .flatMap((step) => (step.uses === "./.github/actions/sop" ? action.runs.steps : [step]))
      .filter(({ uses }) => uses === undefined);
  }

  /** Runs the job of an event, step by step, up to the first failure. */
  async function runJob(event: "pull_request" | "push", secret = token): Promise<Ended & { step: string }> {
    await branchedOff();
    const inputs = Object.entries(load().action.inputs).map(([name, input]) => [`inputs.${name}`, input.default]);
    const known = { ...Object.fromEntries(inputs), "secrets.SOP_TOKEN": secret } as Record<string, string>;
    let last = { code: 0 as number | null, output: "", step: "" };
    for (const step of stepsOf(event)) {
      const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(String(value), known)]);
      const env = {
        ...(Object.fromEntries(own) as Record<string, string>),
        RUNNER_TEMP: join(folder.path, "tmp"),
        GITHUB_OUTPUT: outputFile(),
        GITHUB_STEP_SUMMARY: summaryFile(),
        ...(event === "pull_request" && { GITHUB_BASE_REF: "main" }),
      };
      const ended = await bash(step.run ?? "", env, step.shell === "bash" ? ["-eo", "pipefail"] : ["-e"]);
      last = { ...ended, step: step.name ?? "" };
      if (last.code !== 0) return last;
    }
    return last;
  }

  beforeEach(async () => expect((await init("github")).code).toBe(0));

  test("has least rights, gives the token to two steps, and installs nothing by name", () => {
    const { workflow, action } = load();
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(Object.keys(workflow.on)).toEqual(["pull_request", "push"]);
    const jobs = Object.values(workflow.jobs);
    expect([workflow.env, ...jobs.map(({ env }) => env)]).toEqual([undefined, undefined]);
    const steps = [...action.runs.steps, ...jobs.flatMap((job) => job.steps)];
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
    const withToken = steps.filter(({ env }) => env?.["SOP_TOKEN"] !== undefined).map(({ name }) => name);
    expect(withToken).toEqual(["Review", "Import as drafts"]);
    const installs = steps.flatMap(({ run = "" }) => run.match(/npm .*/g) ?? []);
    expect(installs).toEqual([expect.stringMatching(/--ignore-scripts .*\$RUNNER_TEMP\/sopwright\.tgz"$/)]);
  });

  test("a pull request with an error fails, with annotations and SARIF", async () => {
    folder.write({ "ws/sops/it/bad.md": bad });
    const { code, output, step } = await runJob("pull_request");
    expect([code, step]).toEqual([1, "Check"]);
    // the review of the same commit doesn't hide them
    const review = stepsOf("pull_request").find(({ name }) => name === "Review");
    expect(review?.if).toContain("!cancelled()");
    const reviewed = await bash(review?.run ?? "", {
      SOP_SERVER: server.url,
      GITHUB_BASE_REF: "main",
      GITHUB_STEP_SUMMARY: summaryFile(),
    });
    expect(reviewed.code).toBe(1);
    expect(readFileSync(summaryFile(), "utf8")).toMatch(/\| sops\/it\/bad\.md:22 \| error \| .*TODO/);
    expect(output).toMatch(/^::error .*file=sops\/it\/bad\.md,line=22\b.*TODO/m);
    expect(readFileSync(outputFile(), "utf8")).toBe("sarif=sop.sarif\n");
    const sarif = JSON.parse(read("sop.sarif")) as { version: string; runs: { results: { ruleId: string }[] }[] };
    expect(sarif.version).toBe("2.1.0");
    expect(sarif.runs[0]?.results.map(({ ruleId }) => ruleId)).toContain("text/placeholder");
  });

  test("passes a clean change and says what its merge does; the merge imports once; a conflict fails both", async () => {
    folder.write({ "ws/sops/it/good.md": good });
    expect(await runJob("pull_request")).toMatchObject({ code: 0, step: "Review" });
    const summary = readFileSync(summaryFile(), "utf8");
    expect(summary).toMatch(/\+ create[^]*Plan: 1 to create\./);
    expect(summary).toContain("### sops/it/good.md (new)");
    expect(summary).toContain("<li>Open the tap.</li>");
    expect((await editor.client.sops.list()).data).toEqual([]);

    expect(await runJob("push")).toMatchObject({ code: 0, step: "Import as drafts" });
    const [sop] = (await editor.client.sops.list()).data;
    expect(sop).toMatchObject({ title: "Wash hands", status: "draft", version: 1 });
    expect((await runJob("push")).output).toContain("Import: 1 unchanged.");

    await editor.client.sops.update({ params: { id: sop?.id ?? "" }, body: { markdown: "Changed there.\n" } });
    folder.write({ "ws/sops/it/good.md": good.replace("Take soap", "Take much soap") });
    expect(await runJob("pull_request")).toMatchObject({ code: 6, step: "Review" });
    expect(await runJob("push")).toMatchObject({ code: 6, step: "Import as drafts" });
  });

  test("checks only, without a token; refuses a package that isn't the one of the file", async () => {
    folder.write({ "ws/sops/it/good.md": good });
    expect(await runJob("push", "")).toMatchObject({ code: 0, step: "Import as drafts" });
    expect((await editor.client.sops.list()).data).toEqual([]);
    const path = "ws/.github/actions/sop/action.yml";
    const text = read(".github/actions/sop/action.yml");
    folder.write({ [path]: text.replace(/(?<=SOP_SHA512: ").{8}/, "00000000") });
    const refused = await runJob("push");
    expect([refused.code, refused.step]).toEqual([1, "Install sop"]);
    expect(refused.output).toContain("sopwright.tgz: FAILED");
    // the way out keeps what people changed in the file
    folder.write({ [path]: `${read(".github/actions/sop/action.yml")}# ours\n` });
    expect((await init("github")).stdout).toBe("+ .github/actions/sop/action.yml\n");
    expect(read(".github/actions/sop/action.yml")).toBe(`${text}# ours\n`);
    expect((await init("github")).stdout).toBe("CI files are up to date\n");
  });
});

describe("GitLab", { timeout: 240_000 }, () => {
  interface Job {
    extends?: string;
    needs?: string[];
    environment?: { name: string };
    before_script?: string[];
    script: string[];
    artifacts?: { paths?: string[]; reports?: Record<string, string> };
  }
  const load = () => parse(read(".gitlab-ci.yml")) as Record<string, unknown>;
  const variables = () => load()["variables"] as Record<string, string>;
  const job = (name: string): Job => {
    const own = load()[name] as Job | undefined;
    if (!own) throw new Error(`there is no job ${name}`);
    return own.extends === undefined ? own : { ...(load()[own.extends] as Job), ...own };
  };
  const jobs = () => Object.keys(load()).filter((name) => job(name).script !== undefined);
  /** A job starts in a checkout of its own, with the artifacts of the jobs that it needs. */
  async function run(name: string, secret = token): Promise<Ended> {
    const { needs = [], environment, before_script: before = [], script } = job(name);
    const at = join(folder.path, name);
    rmSync(at, { recursive: true, force: true });
    cpSync(join(folder.path, "ws"), at, { recursive: true });
    for (const needed of needs) {
      for (const path of job(needed).artifacts?.paths ?? []) {
        const from = join(folder.path, needed, path);
        cpSync(from, join(at, path), { recursive: true, verbatimSymlinks: true });
      }
    }
    const base = { CI_MERGE_REQUEST_DIFF_BASE_SHA: await branchedOff() };
    const env = { ...variables(), ...base, ...(environment?.name === "sops" && { SOP_TOKEN: secret }) };
    return await bash([...before, ...script].join("\n"), env, ["-eo", "pipefail"], name);
  }

  beforeEach(async () => expect((await init("gitlab")).code).toBe(0));

  test("only the jobs of one environment see the token, and the job that installs is none of them", () => {
    expect(jobs().filter((name) => job(name).environment?.name === "sops")).toEqual(["review-sops", "import-sops"]);
    const isInstalling = (name: string) => job(name).script.some((line) => line.includes("npm "));
    expect(jobs().filter(isInstalling)).toEqual(["install-sop"]);
    expect(read(".gitlab-ci.yml")).not.toMatch(/npm install.* sopwright(@|$|\s)/m);
  });

  test("a merge request is checked with reports, planned, and imported on merge", async () => {
    folder.write({ "ws/sops/it/bad.md": bad });
    expect(await run("install-sop")).toMatchObject({ code: 0 });
    expect((await run("check-sops")).code).toBe(1);
    const { codequality = "", junit = "" } = job("check-sops").artifacts?.reports ?? {};
    const report = JSON.parse(readFileSync(join(folder.path, "check-sops", codequality), "utf8")) as object[];
    expect(report[0]).toMatchObject({
      location: { path: "sops/it/bad.md", lines: { begin: 22 } },
      fingerprint: expect.any(String),
    });
    expect(readFileSync(join(folder.path, "check-sops", junit), "utf8")).toContain("<testsuite");

    folder.write({ "ws/sops/it/bad.md": good });
    expect((await run("check-sops")).code).toBe(0);
    const review = () => readFileSync(join(folder.path, "review-sops", "sop-review.md"), "utf8");
    expect(job("review-sops").artifacts?.paths).toEqual(["sop-review.md"]);
    expect(await run("review-sops", "")).toMatchObject({ code: 0 });
    expect(review()).toContain("No token, so the import was not planned.");
    expect(await run("review-sops")).toMatchObject({ code: 0 });
    expect(review()).toContain("Plan: 1 to create.");
    expect((await run("import-sops")).code).toBe(0);
    expect((await editor.client.sops.list()).data).toMatchObject([{ title: "Wash hands" }]);
    expect((await run("review-sops")).code).toBe(0);
    expect(review()).toContain("Plan: 1 unchanged.");
  });

  test("another package is refused before npm sees it", async () => {
    folder.write({
      "ws/.gitlab-ci.yml": read(".gitlab-ci.yml").replace(/(?<=SOP_SHA512: ").{8}/, "00000000"),
    });
    expect(await run("install-sop")).toMatchObject({ code: 1, output: expect.stringContaining("FAILED") });
    expect(existsSync(join(folder.path, "install-sop/.sop-ci/node_modules"))).toBe(false);
  });
});

describe("pre-commit", { timeout: 60_000 }, () => {
  test("each hook runs on the files it is given", async () => {
    const hooks = parse(readFileSync(join(project, ".pre-commit-hooks.yaml"), "utf8")) as {
      id: string;
      entry: string;
      types: string[];
      files: string;
    }[];
    expect(hooks.map(({ id }) => id)).toEqual(["sop-lint", "sop-fmt"]);
    for (const { files } of hooks) {
      const takes = (path: string) => new RegExp(files).test(path);
      expect(["sops/it/a.md", "docs/templates/b.md", "README.md", "docs/x.md"].filter(takes)).toEqual([
        "sops/it/a.md",
        "docs/templates/b.md",
      ]);
    }
    folder.write({ ".node/sop": `#!/bin/sh\nexec "${node}" "${programFile}" "$@"\n` });
    chmodSync(join(folder.path, ".node/sop"), 0o755);
    await callSop(["init", "ws"], { cwd: folder.path });
    folder.write({ "ws/sops/it/bad.md": bad, "ws/sops/it/good.md": good.replace("1. Open", "1) Open") });
    const run = (id: string, ...files: string[]) =>
      bash(`${hooks.find((hook) => hook.id === id)?.entry} ${files.join(" ")}`, {});
    expect((await run("sop-lint", "sops/it/good.md")).code).toBe(0);
    expect((await run("sop-lint", "sops/it/bad.md", "sops/it/good.md")).code).toBe(1);
    expect((await run("sop-fmt", "sops/it/good.md")).code).toBe(0);
    expect(read("sops/it/good.md")).toContain("1. Open");
  });
});
