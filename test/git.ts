/**
 * Runs native git as on a stranger's machine: without this machine's settings, and without questions on the terminal.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export interface GitRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** @param dir the working folder of git, which is also its home */
export function runGit(dir: string, ...args: string[]): Promise<GitRun> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: dir,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
  return new Promise((resolve) => {
    execFile("git", args, { cwd: dir, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error ? (typeof error.code === "number" ? error.code : -1) : 0, stdout, stderr });
    });
  });
}

/** The output of git. @throws when git failed */
export async function git(dir: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runGit(dir, ...args);
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** Creates a folder, and a function that removes it. */
export function gitFolder(): { dir: string; remove: () => void } {
  const dir = mkdtempSync(path.join(tmpdir(), "sopwright-git-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
