/**
 * `npm run release`: everything that must hold before a version is published, the fastest check first. It stops at the first
 * fault, changes nothing in git, and ends with the files and the commands that publish them.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { version } from "../core/version.ts";
import { makeDocs } from "./docs.ts";
import { build } from "./build.ts";
import { packages } from "./pack.ts";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const read = (name: string) => readFileSync(path.join(root, name), "utf8");

/** The files that name the version, and what is wrong in them. */
export function versionFaults(expected: string, read_: (name: string) => string = read): string[] {
  const has = (name: string, pattern: RegExp) =>
    pattern.test(read_(name)) ? [] : [`${name} doesn't have ${expected}`];
  const text = expected.replaceAll(".", "\\.");
  return [
    ...has("package.json", new RegExp(`^  "version": "${text}",$`, "m")),
    ...has("package-lock.json", new RegExp(`^  "version": "${text}",$`, "m")),
    ...has("core/version.ts", new RegExp(`"${text}"`)),
    ...has("deploy/helm/sopwright/Chart.yaml", new RegExp(`^version: ${text}\nappVersion: "${text}"$`, "m")),
    ...has("docs/install.md", new RegExp(`sopwright-${text}\\.tgz`)),
    ...has("CHANGELOG.md", new RegExp(`^## \\[${text}\\] - \\d{4}-\\d{2}-\\d{2}$`, "m")),
  ];
}

/** The part of the changelog about a version, without its heading. */
export function changesOf(wanted: string, changelog: string): string {
  const [, ...parts] = changelog.split(/^## /m);
  return parts.find((part) => part.startsWith(`[${wanted}]`))?.replace(/^.*\n+/, "") ?? "";
}

/** Lines that wait for the next version: a release names them in its own part. */
export function waitingChanges(changelog: string): string[] {
  return changesOf("Unreleased", changelog)
    .split("\n")
    .filter((line) => line.startsWith("- "));
}

function check(name: string, faults: readonly string[]): void {
  console.log(`${faults.length === 0 ? "ok" : "FAULT"}  ${name}`);
  for (const fault of faults) console.error(`  ${fault}`);
  if (faults.length > 0) process.exit(1);
}

function run(name: string, program: string, ...args: string[]): void {
  const { status } = spawnSync(program, args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    env: { ...process.env, CI: "true" },
  });
  check(name, status === 0 ? [] : [`${program} ${args.join(" ")} ended with ${status}`]);
}

async function release(): Promise<void> {
  const git = (...args: string[]) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout.trim();
  check("the version is the same everywhere", versionFaults(version));
  check("no change waits in the changelog", waitingChanges(read("CHANGELOG.md")));
  check("all changes are committed", git("status", "--porcelain").split("\n").filter(Boolean));
  check("the version is new", git("tag", "--list", `v${version}`) === "" ? [] : [`the tag v${version} exists`]);
  run("no known weakness in what is shipped", "npm", "audit", "--omit=dev", "--audit-level=high");
  await build();
  // format, lint, types, and every test on both engines: also the packages, deploy/ and the tutorials
  run("npm run check", "npm", "run", "check");
  const docs = path.join(root, "dist", "docs");
  rmSync(docs, { recursive: true, force: true });
  await makeDocs(docs);
  console.log(`\nsopwright ${version}, from ${git("rev-parse", "HEAD")}`);
  for (const name of readdirSync(packages)) {
    const sha512 = createHash("sha512")
      .update(readFileSync(path.join(packages, name)))
      .digest("base64");
    console.log(`${path.join(packages, name)}\n  sha512-${sha512}`);
  }
  console.log(
    `${docs}\n\nPublish it:\n  git tag -a v${version} -m "Sopwright ${version}" && git push origin v${version}`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await release();
