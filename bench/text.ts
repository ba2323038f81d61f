/**
 * The tools for texts. `text:package`: the package for the terminal, installed in an empty folder. `text:rules`: how often
 * rules are right. `text:dialects`: what becomes of the markup of other tools. `text:word`: what becomes of Word files.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { figureBesidePeer, round, type Figure } from "./figure.ts";
import { startTimes } from "./lint.ts";
import { dialects } from "./text-dialects.ts";

const packages = resolve(import.meta.dirname, "../dist/packages");

export async function* run(parts: readonly string[] = []): AsyncGenerator<Figure> {
  if (parts.length === 0 || parts.includes("rules")) yield* (await import("./text-rules.ts")).figures();
  if (parts.length === 0 || parts.includes("package")) yield* installed();
  if (parts.length === 0 || parts.includes("dialects")) yield* dialects();
  if (parts.length === 0 || parts.includes("word")) yield* (await import("./text-word.ts")).word();
}

async function* installed(): AsyncGenerator<Figure> {
  const file = readdirSync(packages).find((name) => name.endsWith(".tgz"));
  if (file === undefined) throw new Error("bench text:package installs what is built: npm run build");
  const folder = mkdtempSync(join(tmpdir(), "sop-bench-package-"));
  try {
    const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--prefer-offline"];
    execFileSync("npm", [...args, join(packages, file)], { stdio: ["ignore", "ignore", "inherit"] });
    const modules = join(folder, "node_modules");
    const megabytes = (dir: string) => round(sizeOf(dir) / 1e6);
    yield { name: "package.installed", value: megabytes(modules), unit: "MB", goal: "≤ 8" };
    yield { name: "package.own", value: megabytes(join(modules, "sopwright")), unit: "MB" };
    const { node, help, one } = await startTimes(folder, join(modules, "sopwright/sop.js"));
    yield figureBesidePeer("package.help", "ms", help, node, "sop --help ≤ 1.5 × node -e 0");
    yield figureBesidePeer("package.one", "ms", one, node, "sop lint one.md ≤ 4 × node -e 0");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sizeOf(dir: string): number {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" });
  const files = names.map((name) => statSync(join(dir, name))).filter((entry) => entry.isFile());
  return files.reduce((sum, { size }) => sum + size, 0);
}
