/** A folder for a test, and git to check our files with. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { findGit } from "../git-process.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Creates a folder that is deleted after the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sopwright-repository-"));
  folders.push(folder);
  return folder;
}

export const binary = findGit();
if (binary === null) process.stdout.write("git is not installed: install it to run every repository test\n");

/** Runs native git without the host's configuration. @throws when git fails */
export function nativeGit(folder: string, ...args: string[]): string {
  if (binary === null) throw new Error("git is not installed");
  const env = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
  return execFileSync(binary, ["-C", folder, ...args], { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
