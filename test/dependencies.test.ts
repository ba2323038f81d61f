/** The packages that `package.json` lists for shipped code, and those that shipped code imports, are the same. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { findFontFiles } from "../server/export/fonts.ts";

const root = path.resolve(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as Record<
  "dependencies" | "devDependencies",
  Record<string, string>
>;
const declared = Object.keys(manifest.dependencies);

/** Scripts run it as a program: `node_modules/.bin` is first on their PATH. */
const programs = ["node"];

/** The build of the web runs it, with packages of developers. */
const ofBuild = path.join("bin", "compile-messages.ts");

const sources = globSync("{core,server,cli,web,bin}/**/*.{ts,tsx}", { cwd: root })
  .filter((name) => name !== ofBuild && !/\.test\.tsx?$|[\\/](?:testing|guard-[^\\/]+)[\\/]/.test(name))
  .map((name) => readFileSync(path.join(root, name), "utf8"));

/** The packages behind all matches of a pattern, without our own files and Node's modules. */
function packagesIn(pattern: RegExp): string[] {
  const names = sources
    .flatMap((source) => [...source.matchAll(pattern)].map(([, name = ""]) => name))
    .filter((name) => /^(?:@[\w.-]+\/)?[a-z]/.test(name) && !name.startsWith("node:"))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
  return [...new Set(names)].sort();
}

const imported = [
  ...packagesIn(/^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm),
  ...packagesIn(/(?<!typeof )\bimport\("([^"]+)"\)/g),
  ...packagesIn(/\brequire\.resolve\("([^"]+)"\)/g),
  ...[...findFontFiles().values()].map(
    (file) => /@expo-google-fonts[\\/][\w-]+/.exec(file)?.[0].replace("\\", "/") ?? file,
  ),
];

test("shipped code imports every dependency", () => {
  expect(declared.filter((name) => !imported.includes(name) && !programs.includes(name))).toEqual([]);
});

test("every package that shipped code imports is a dependency", () => {
  expect(imported.filter((name) => !declared.includes(name))).toEqual([]);
});

test("every package that shipped code takes types from is declared", () => {
  const known = [...declared, ...Object.keys(manifest.devDependencies)];
  const types = packagesIn(/^(?:import|export)\s+type\s[^"';]*?\sfrom\s+"([^"]+)"/gm);
  expect(types.filter((name) => !known.includes(name) && !known.includes(`@types/${name}`))).toEqual([]);
});
