/** `dist/packages/sopwright-<version>.tgz`: the `sop` command alone, for people who only use the terminal. */
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { oldestNode } from "../cli/oldest-node.ts";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** Where tsup writes the program, and what becomes the package. */
const folder = path.join(root, "dist", "terminal");
export const packages = path.join(root, "dist", "packages");

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  overrides: Record<string, string>;
}

export async function pack(): Promise<void> {
  const manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as Manifest;
  await writeFile(path.join(folder, "NOTICE.txt"), await notice());
  for (const name of ["sops", "workspace", "pdf"]) {
    await cp(path.join(root, "templates", name), path.join(folder, "templates", name), { recursive: true });
  }
  await cp(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  await cp(path.join(root, "docs", "install.md"), path.join(folder, "README.md"));
  const parser = JSON.parse(await readFile(path.join(root, "node_modules/satteri/package.json"), "utf8")) as Manifest;
  const own = manifestOf(manifest, parser.optionalDependencies);
  await writeFile(path.join(folder, "package.json"), `${JSON.stringify(own, null, 2)}\n`);
  await rm(packages, { recursive: true, force: true });
  await mkdir(packages, { recursive: true });
  await promisify(execFile)("npm", ["pack", "--ignore-scripts", "--pack-destination", packages], { cwd: folder });
}

/** @param binaries of the parser, by system: npm installs the one that fits */
function manifestOf(
  { name, version, description, license, dependencies, overrides }: Manifest,
  binaries: Record<string, string>,
): object {
  const versions = Object.entries({ ...dependencies, ...overrides });
  const pinned = (match: RegExp) => Object.fromEntries(versions.filter(([one]) => match.test(one)));
  const later = pinned(/^@napi-rs\/keyring$|^@myriaddreamin\/|^@expo-google-fonts\/|^sharp$/);
  return {
    name,
    version,
    description,
    license,
    type: "module",
    bin: { sop: "sop.js" },
    engines: { node: `>=${oldestNode}` },
    // without it, a slower parser reads Markdown: an installation without a registry works
    optionalDependencies: Object.fromEntries(Object.entries(binaries).filter(([one]) => !one.includes("wasm"))),
    // npm installs none of these: `sop doctor` says what for
    peerDependencies: later,
    peerDependenciesMeta: Object.fromEntries(Object.keys(later).map((one) => [one, { optional: true }])),
  };
}

/** The licenses of the bundled packages, each once, with the copyright of each package. Their terms ask for it. */
async function notice(): Promise<string> {
  const file = path.join(folder, "metafile-esm.json");
  const { inputs } = JSON.parse(await readFile(file, "utf8")) as { inputs: Record<string, unknown> };
  await rm(file);
  const packaged = Object.keys(inputs).filter((input) => input.startsWith("node_modules/"));
  const names = packaged.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  const bundled = [...new Set(names)].filter((name) => name !== undefined).sort();
  const terms = new Map<string, string[]>();
  for (const name of bundled) {
    const { holders, text } = await licenseOf(path.join(root, name));
    const { version } = JSON.parse(await readFile(path.join(root, name, "package.json"), "utf8")) as Manifest;
    const line = [`${name.replace(/^.*node_modules\//, "")} ${version}`, ...holders].join("; ");
    terms.set(text, [...(terms.get(text) ?? []), line]);
  }
  return [...terms].map(([text, users]) => `${users.join("\n")}\n\n${text}\n`).join(`\n${"-".repeat(72)}\n\n`);
}

/** Who holds the copyright, and the terms without their line breaks. */
async function licenseOf(dir: string): Promise<{ holders: string[]; text: string }> {
  const name = (await readdir(dir)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (name === undefined) {
    const { license } = JSON.parse(await readFile(path.join(dir, "package.json"), "utf8")) as Manifest;
    return { holders: [], text: `License: ${license}` };
  }
  const lines = (await readFile(path.join(dir, name), "utf8")).split(/\r?\n/).map((line) => line.trim());
  const isHolder = (line: string) => /^(\(c\)|copyright)\b.*\d{4}|^copyright \(c\)/i.test(line);
  // of two licenses, ours is MIT
  const text = lines.filter((line) => !isHolder(line) && !/^\(?(the )?mit license\)?:?$/i.test(line)).join(" ");
  return {
    holders: lines.filter(isHolder),
    text: text
      .replace(/\s+/g, " ")
      .replace(/ GPL version 3 =.*/, "")
      .trim(),
  };
}
