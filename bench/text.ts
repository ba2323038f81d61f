/**
 * The tools for texts. `text:package`: the package for the terminal, installed in an empty folder. `text:rules`: how often
 * rules are right. `text:dialects`: what becomes of the markup of other tools. `text:word`: what becomes of Word files.
 * `text:words`: what real documents lose. `text:fmt` and `text:import`: processor time.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { round, type Figure } from "./figure.ts";
import { startFigures } from "./lint.ts";
import { filesToFiles, formatting } from "./text-speed.ts";
import { dialects } from "./text-dialects.ts";
import { words } from "./text-words.ts";

const packages = resolve(import.meta.dirname, "../dist/packages");

export async function* run(parts: readonly string[] = []): AsyncGenerator<Figure> {
  if (parts.length === 0 || parts.includes("rules")) yield* (await import("./text-rules.ts")).figures();
  if (parts.length === 0 || parts.includes("package")) yield* installed();
  if (parts.length === 0 || parts.includes("dialects")) yield* dialects();
  if (parts.length === 0 || parts.includes("words")) yield* words();
  if (parts.length === 0 || parts.includes("word")) yield* (await import("./text-word.ts")).word();
  if (parts.length === 0 || parts.includes("fmt")) yield* formatting();
  if (parts.length === 0 || parts.includes("import")) yield* filesToFiles();
}

async function* installed(): AsyncGenerator<Figure> {
  const file = readdirSync(packages).find((name) => /^sopwright-\d.*\.tgz$/.test(name));
  if (file === undefined) throw new Error("bench text:package installs what is built: npm run build");
  const folder = mkdtempSync(join(tmpdir(), "sop-bench-package-"));
  try {
    const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--prefer-offline"];
    execFileSync("npm", [...args, join(packages, file)], { stdio: ["ignore", "ignore", "inherit"] });
    const modules = join(folder, "node_modules");
    const megabytes = (dir: string) => round(sizeOf(dir) / 1e6);
    yield { name: "package.installed", value: megabytes(modules), unit: "MB", goal: "≤ 8" };
    yield { name: "package.own", value: megabytes(join(modules, "sopwright")), unit: "MB" };
    yield* startFigures("package", folder, join(modules, "sopwright/sop.js"), ["≤ 1.5", "≤ 4"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sizeOf(dir: string): number {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" });
  const files = names.map((name) => statSync(join(dir, name))).filter((entry) => entry.isFile());
  return files.reduce((sum, { size }) => sum + size, 0);
}
