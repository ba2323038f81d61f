/** Help, examples and the reference are made from one tree, so all of them describe real commands. */
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { completionTreeOf } from "../../cli/completion/tree.ts";
import { adminTasks, serverProgramFlags } from "../../cli/commands/admin.ts";
import { commandGroups } from "../../cli/help/attach.ts";
import { commandGuides } from "../../cli/help/examples.ts";
import { withCommandReference } from "../../cli/help/reference.ts";
import { buildProgram } from "../../cli/program.ts";
import { node } from "../node-program.ts";
import { callSop, programFile, project } from "./run-sop.ts";

const paths = completionTreeOf(buildProgram())
  .map(({ path }) => path)
  .filter((path) => path !== "");

/** The words that a shell would pass, up to a redirection or a pipe. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([whole, one, two]) => one ?? two ?? whole);
  const end = words.findIndex((word) => /^(?:<|>|>>|\|)$/.test(word));
  return end === -1 ? words : words.slice(0, end);
}

/** Every command reports its own path instead of running. */
function silent(command: Command, path: string, called: string[]): void {
  command.configureOutput({ writeOut: () => {}, writeErr: () => {} });
  for (const child of command.commands) silent(child, `${path} ${child.name()}`.trim(), called);
  if (command.commands.length === 0) command.action(() => void called.push(path));
}

describe("every command", () => {
  test("is in one group of the overview", () => {
    const names = buildProgram().commands.map((command) => command.name());
    expect(Object.values(commandGroups).flat().sort()).toEqual(names.sort());
  });

  test("has examples, and every example is of a command", () => {
    expect(paths.filter((path) => (commandGuides[path]?.examples.length ?? 0) === 0)).toEqual([]);
    for (const [path, { examples }] of Object.entries(commandGuides)) {
      if (paths.includes(path)) for (const [line] of examples) expect(line.startsWith("sop ")).toBe(true);
    }
  });

  test.each(paths.flatMap((path) => (commandGuides[path]?.examples ?? []).map(([line]) => [path, line])))(
    "%s: %s",
    async (path, line) => {
      const called: string[] = [];
      const program = buildProgram();
      silent(program, "", called);
      await program.parseAsync(wordsOf(line).slice(1), { from: "user" });
      const isGroup = paths.some((other) => other.startsWith(`${path} `));
      expect(called[0]?.startsWith(path)).toBe(true);
      if (!isGroup) expect(called).toEqual([path]);
    },
  );

  test.each(paths)("sop %s --help says what, how and with which flags", async (path) => {
    const { code, stdout, stderr } = await callSop([...path.split(" "), "--help"], { cwd: project });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Usage: sop ${path}`);
    expect(stdout).toContain("\nExamples:\n  sop ");
  });
});

test("the overview names every task of an operator", () => {
  const line =
    buildProgram(["--help"])
      .commands.find((command) => command.name() === "admin")
      ?.description() ?? "";
  expect(line.slice(line.indexOf(": ") + 2).split(", ")).toEqual(adminTasks);
});

test.each(adminTasks)("sop passes its own flags on to the task %s, if the task has them too", async (task) => {
  const { stdout } = await promisify(execFile)(node, ["server/admin/main.ts", task, "--help"], { cwd: project });
  const known = new Set(stdout.match(/(?<=^ {2}(?:-\w, )?)--[\w-]+/gm));
  const shared = buildProgram([]).options.filter(({ long }) => long != null && known.has(long));
  expect(shared.length).toBeGreaterThan(4);
  for (const { long, required } of shared) {
    const args = [long ?? "", ...(required ? ["http://127.0.0.1:9"] : [])];
    const program = buildProgram();
    silent(program, "", []);
    await program.parseAsync(["admin", task, ...args], { from: "user" });
    expect(serverProgramFlags(program.opts())).toEqual(args);
  }
});

test("a call that declares only its own command has the same overview and the same flags", () => {
  const whole = buildProgram();
  expect(buildProgram(["--help"]).helpInformation()).toBe(whole.helpInformation());
  for (const command of whole.commands) {
    const own = buildProgram([command.name()]).commands.find((one) => one.name() === command.name());
    expect(own?.helpInformation()).toBe(command.helpInformation());
  }
});

test("a pager that closes is no fault", () => {
  const sop = `"${node}" "${programFile}"`;
  for (const args of ["--help", "help pull", "completion zsh"]) {
    const ask = `set -o pipefail; for i in 1 2 3; do ${sop} ${args} | true; done`;
    expect(spawnSync("bash", ["-c", ask], { cwd: project, encoding: "utf8" }).stderr).toBe("");
  }
}, 60_000);

test("docs/cli.md gets each command with its flags and examples, and keeps the rest", () => {
  const page = readFileSync(join(project, "docs/cli.md"), "utf8");
  const whole = withCommandReference(page, buildProgram());
  const headings = [...whole.matchAll(/^### sop (.+)$/gm)].map(([, name = ""]) => name);
  expect(headings.toSorted()).toEqual(paths.toSorted());
  for (const { examples } of Object.values(commandGuides))
    for (const [line] of examples) expect(whole).toContain(`\n${line}\n`);
  expect(whole).toContain("| `--unsafe-fixes` |");
  expect(whole).toMatch(/^# The `sop` command[^]+^## Environment/m);
  expect(() => withCommandReference("# A page", buildProgram())).toThrow("marks");
});
