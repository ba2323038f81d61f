/** The files that `sop init --ci` writes: their lines run here, in a scratch workspace against a real server. */
import { spawn } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { node } from "../node-program.ts";
import { callSop, makeFolder, programFile, project, type Folder } from "./run-sop.ts";

interface Step {
  name?: string;
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  shell?: string;
  env?: Record<string, string>;
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, { if?: string; needs?: string; env?: Record<string, string>; steps: Step[] }>;
}

/** The program that a user installs, if it is built: `npm test` builds first. */
const { isBuilt } = (await import(join(project, "bin/build.ts"))) as { isBuilt(): Promise<boolean> };
const program = (await isBuilt()) ? join(project, "dist/sop.js") : programFile;

let server: TestServer;
let editor: TestUser;
let token: string;
let folder: Folder;

beforeAll(async () => void (server = await startServer("sqlite")), 60_000);
afterAll(() => server.stop());
beforeEach(async () => {
  editor = await (await server.company()).user("editor");
  token = (await editor.client.tokens.create({ body: { name: "ci", scopes: ["sops:read", "sops:write"] } })).token;
  folder = makeFolder({
    "bin/sop": `#!/bin/sh\nexec "${node}" "${program}" "$@"\n`,
    "tmp/.keep": "",
  });
  chmodSync(join(folder.path, "bin/sop"), 0o755);
});
afterEach(() => folder.remove());

const good = `---\ntitle: "Wash hands"\ndescription: "Clean hands."\nowner: "eve"\n---\n\n## Purpose\n\nHands are clean.\n\n## Scope\n\nEverybody.\n\n## Responsibilities\n\n- **Everybody:** clean hands\n\n## Procedure\n\n1. Open the tap.\n2. Take soap.\n`;
const bad = good.replace("Take soap.", "TODO");
const read = (path: string) => readFileSync(join(folder.path, "ws", path), "utf8");

interface Ended {
  code: number | null;
  output: string;
}

function bash(script: string, env: Record<string, string>, options = ["-e"]): Promise<Ended> {
  return new Promise((done, reject) => {
    const child = spawn("bash", ["--noprofile", "--norc", ...options, "-c", script], {
      cwd: join(folder.path, "ws"),
      env: {
        PATH: `${join(folder.path, "bin")}:${process.env["PATH"] ?? ""}`,
        HOME: folder.path,
        SOP_KEYRING: "off",
        CI: "true",
        ...env,
      },
    });
    let output = "";
    child.stdout.on("data", (text: Buffer) => (output += text.toString()));
    child.stderr.on("data", (text: Buffer) => (output += text.toString()));
    child.once("error", reject);
    child.once("close", (code) => done({ code, output }));
  });
}

describe("GitHub", { timeout: 120_000 }, () => {
  const outputFile = () => join(folder.path, "tmp/output");
  const summaryFile = () => join(folder.path, "tmp/summary");

  /** `${{ inputs.paths }}` and the like, as the service fills them in. */
  function filled(text: string, known: Record<string, string>): string {
    return text.replace(/\$\{\{ *([\w.-]+) *\}\}/g, (whole, name: string) => {
      const value = known[name];
      if (value === undefined) throw new Error(`${whole} is not known to this test`);
      return value;
    });
  }

  async function runStep(step: Step, known: Record<string, string>, env: Record<string, string> = {}): Promise<Ended> {
    const own = Object.fromEntries(
      Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(String(value), known)]),
    );
    const options = step.shell === "bash" ? ["-eo", "pipefail"] : ["-e"];
    return await bash(
      step.run ?? "",
      { ...env, ...own, GITHUB_OUTPUT: outputFile(), GITHUB_STEP_SUMMARY: summaryFile() },
      options,
    );
  }

  const load = () => {
    const workflow = parse(read(".github/workflows/sops.yml")) as Workflow;
    const action = parse(read(".github/actions/sop/action.yml")) as {
      inputs: Record<string, { default: string }>;
      runs: { using: string; steps: Step[] };
    };
    const inputs = Object.fromEntries(
      Object.entries(action.inputs).map(([name, input]) => [`inputs.${name}`, input.default]),
    );
    const known = { ...inputs, "vars.SOP_SERVER": server.url, "secrets.SOP_TOKEN": token };
    const envOf = (job: string) =>
      Object.fromEntries(
        Object.entries(workflow.jobs[job]?.env ?? {}).map(([name, value]) => [name, filled(value, known)]),
      );
    return { workflow, action, known, envOf };
  };
  /** Runs the composite action step by step, up to the first failure. */
  const runAction = async () => {
    const { action, known } = load();
    let last: Ended = { code: 0, output: "" };
    for (const step of action.runs.steps) {
      last = await runStep(step, known);
      if (last.code !== 0) return last;
    }
    return last;
  };

  beforeEach(async () => void (await callSop(["init", "ws", "--ci", "github"], { cwd: folder.path })));

  test("least rights, and nothing of a pull request in a script", () => {
    const { workflow, action } = load();
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(Object.keys(workflow.on)).toEqual(["pull_request", "push"]);
    const steps = [...action.runs.steps, ...Object.values(workflow.jobs).flatMap((job) => job.steps)];
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
    expect(workflow.jobs["import"]?.if).toBe("github.event_name == 'push'");
    expect(workflow.jobs["import"]?.needs).toBe("check");
    expect(workflow.jobs["check"]?.steps.some(({ uses }) => uses === "./.github/actions/sop")).toBe(true);
  });

  test("a pull request with an error fails, with annotations and SARIF", async () => {
    folder.write({ "ws/sops/it/bad.md": bad });
    const { code, output } = await runAction();
    expect(code).toBe(1);
    expect(output).toMatch(/^::error .*file=sops\/it\/bad\.md,line=22\b.*TODO/m);
    expect(readFileSync(outputFile(), "utf8")).toBe("sarif=sop.sarif\n");
    const sarif = JSON.parse(read("sop.sarif")) as { version: string; runs: { results: { ruleId: string }[] }[] };
    expect(sarif.version).toBe("2.1.0");
    expect(sarif.runs[0]?.results.map(({ ruleId }) => ruleId)).toContain("text/placeholder");
  });

  test("passes a clean change and says what its merge does; the merge imports once; a conflict fails the plan", async () => {
    folder.write({ "ws/sops/it/good.md": good });
    expect((await runAction()).code).toBe(0);
    const { workflow, known, envOf } = load();
    const step = (job: string, name: string) => {
      const found = workflow.jobs[job]?.steps.find((one) => one.name === name);
      if (!found) throw new Error(`there is no step ${name}`);
      return found;
    };
    const plan = step("check", "Plan the import");
    expect(plan.if).toContain("github.event_name == 'pull_request'");
    expect(await runStep(plan, known, envOf("check"))).toMatchObject({
      code: 0,
      output: expect.stringContaining("+ create"),
    });
    expect(readFileSync(summaryFile(), "utf8")).toContain("Plan: 1 to create.");
    expect((await editor.client.sops.list()).data).toEqual([]);

    for (const name of ["Install sop", "Import as drafts"]) {
      expect(await runStep(step("import", name), known, envOf("import"))).toMatchObject({ code: 0 });
    }
    const [sop] = (await editor.client.sops.list()).data;
    expect(sop).toMatchObject({ title: "Wash hands", status: "draft", version: 1 });
    const again = await runStep(step("import", "Import as drafts"), known, envOf("import"));
    expect(again.output).toContain("Import: 1 unchanged.");

    await editor.client.sops.update({ params: { id: sop?.id ?? "" }, body: { markdown: "Changed there.\n" } });
    folder.write({ "ws/sops/it/good.md": good.replace("Take soap", "Take much soap") });
    expect((await runStep(plan, known, envOf("check"))).code).toBe(6);
    expect((await runStep(step("import", "Import as drafts"), known, envOf("import"))).code).toBe(6);
  });
});

describe("GitLab", { timeout: 120_000 }, () => {
  interface Job {
    extends: string;
    script: string[];
    artifacts?: { reports: Record<string, string> };
  }
  const job = (name: string) => {
    const file = parse(read(".gitlab-ci.yml")) as Record<string, Job> & { ".sop": { before_script: string[] } };
    const found = file[name];
    if (!found) throw new Error(`there is no job ${name}`);
    expect(found.extends).toBe(".sop");
    return { ...found, lines: [...file[".sop"].before_script, ...found.script] };
  };
  const run = (name: string) =>
    bash(job(name).lines.join("\n"), { SOP_SERVER: server.url, SOP_TOKEN: token }, ["-eo", "pipefail"]);

  beforeEach(async () => void (await callSop(["init", "ws", "--ci", "gitlab"], { cwd: folder.path })));

  test("a merge request is checked with reports, planned, and imported on merge", async () => {
    folder.write({ "ws/sops/it/bad.md": bad });
    expect((await run("check-sops")).code).toBe(1);
    const { codequality = "", junit = "" } = job("check-sops").artifacts?.reports ?? {};
    const report = JSON.parse(read(codequality)) as {
      location: { path: string; lines: { begin: number } };
      fingerprint: string;
    }[];
    expect(report[0]).toMatchObject({
      location: { path: "sops/it/bad.md", lines: { begin: 22 } },
      fingerprint: expect.any(String),
    });
    expect(read(junit)).toContain("<testsuite");

    folder.write({ "ws/sops/it/bad.md": good });
    expect((await run("check-sops")).code).toBe(0);
    expect(await run("plan-import")).toMatchObject({ code: 0, output: expect.stringContaining("1 to create") });
    expect((await run("import-sops")).code).toBe(0);
    expect((await editor.client.sops.list()).data).toMatchObject([{ title: "Wash hands" }]);
    expect((await run("plan-import")).output).toContain("Plan: 1 unchanged.");
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
