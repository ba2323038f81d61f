/**
 * The two packages of a build, in `dist/packages`: `sopwright-<version>.tgz` has the `sop` command alone, for people who
 * only use the terminal. `sopwright-server-<version>.tgz` has the server, and the other package to send.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { oldestNode } from "../cli/oldest-node.ts";
import { findFontFiles } from "../server/export/fonts.ts";
import { notice } from "./notice.ts";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(root, "dist");
/** Where tsup writes the two programs. */
const terminal = path.join(dist, "terminal");
const server = path.join(dist, "server");
export const packages = path.join(dist, "packages");

const serverPackage = "sopwright-server";

type Versions = Record<string, string>;

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  engines: Versions;
  dependencies: Versions;
  optionalDependencies: Versions;
  overrides: Versions;
}

export async function pack(): Promise<void> {
  const manifest = await readManifest("");
  const { optionalDependencies } = await readManifest("node_modules/satteri");
  // without them, a slower parser reads Markdown: an installation without a registry works
  const parsers = Object.fromEntries(Object.entries(optionalDependencies).filter(([one]) => !one.includes("wasm")));
  await rm(packages, { recursive: true, force: true });
  await mkdir(packages, { recursive: true });
  await packTerminal(manifest, parsers);
  await packServer(manifest, parsers);
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(path.join(root, folder, "package.json"), "utf8")) as Manifest;
}

async function packTerminal(manifest: Manifest, parsers: Versions): Promise<void> {
  for (const name of ["sops", "workspace", "pdf"]) {
    await cp(path.join(root, "templates", name), path.join(terminal, "templates", name), { recursive: true });
  }
  const later = pinned(manifest, /^@napi-rs\/keyring$|^@myriaddreamin\/|^@expo-google-fonts\/|^sharp$/);
  await finish(terminal, terminal, "install.md", {
    ...common(manifest),
    bin: { sop: "sop.js" },
    engines: { node: `>=${oldestNode}` },
    optionalDependencies: parsers,
    // npm installs none of these: `sop doctor` says what for
    peerDependencies: later,
    peerDependenciesMeta: Object.fromEntries(Object.keys(later).map((one) => [one, { optional: true }])),
  });
}

/** As in this repository: programs, web app and packages in `dist/`, and `templates/` beside it. */
async function packServer(manifest: Manifest, parsers: Versions): Promise<void> {
  const fonts = path.join(server, "fonts");
  await mkdir(fonts, { recursive: true });
  const compressed = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
  for (const [name, file] of findFontFiles()) {
    await writeFile(path.join(fonts, name), await promisify(brotliCompress)(await readFile(file), compressed));
  }

  const folder = path.join(dist, serverPackage);
  await cp(packages, path.join(folder, "dist", "packages"), { recursive: true });
  await cp(server, path.join(folder, "dist", "server"), {
    recursive: true,
    filter: (source) => !source.endsWith("metafile-esm.json"),
  });
  const web = path.join(dist, "web");
  const licenses = path.join(web, ".vite");
  const isNeeded = async (file: string) => file !== licenses && (await stat(`${file}.gz`).catch(() => null)) === null;
  await cp(web, path.join(folder, "dist", "web"), { recursive: true, filter: isNeeded });
  await cp(path.join(root, "templates"), path.join(folder, "templates"), { recursive: true });
  for (const name of [".env.example", "CHANGELOG.md"]) await cp(path.join(root, name), path.join(folder, name));
  // an operator may have nothing else
  for (const name of ["docs", "deploy"]) {
    const isForOperators = (file: string) => file !== path.join(root, "docs", "decisions");
    await cp(path.join(root, name), path.join(folder, name), { recursive: true, filter: isForOperators });
  }
  // they load every layer, and a start of the server loads this file
  const { addPages } = await import("./pages.ts");
  await addPages(path.join(folder, "docs"));
  await unlink(folder, path.join(folder, "docs"));
  await cp(path.join(licenses, "license.md"), path.join(folder, "NOTICE.web.md"));
  await finish(folder, server, "server.md", {
    ...common(manifest),
    name: serverPackage,
    bin: { [serverPackage]: `dist/server/${serverPackage}.js` },
    engines: manifest.engines,
    dependencies: pinned(manifest, /^@node-rs\/argon2$|^@myriaddreamin\/typst-ts-node-compiler$|^sharp$/),
    // the typesetter's newest version isn't there for every system
    optionalDependencies: { ...pinned(manifest, /^@myriaddreamin\/typst-ts-node-compiler-/), ...parsers },
  });
  await rm(folder, { recursive: true });
}

/** Links to pages that the package leaves out become text. */
async function unlink(folder: string, docs: string): Promise<void> {
  for (const name of await readdir(docs, { recursive: true })) {
    if (!name.endsWith(".md")) continue;
    const page = path.join(docs, name);
    const text = await readFile(page, "utf8");
    const linked = text.replaceAll(/\[([^\]\n]+)\]\(([^)#\s]+)[^)\n]*\)/g, (link, label: string, target: string) => {
      const file = path.resolve(path.dirname(page), target);
      return existsSync(path.join(root, path.relative(folder, file))) && !existsSync(file) ? label : link;
    });
    await writeFile(page, linked);
  }
}

const common = ({ name, version, description, license }: Manifest) => ({
  name,
  version,
  description,
  license,
  type: "module",
});

function pinned({ dependencies, overrides }: Manifest, match: RegExp): Versions {
  const versions = Object.entries({ ...dependencies, ...overrides });
  return Object.fromEntries(versions.filter(([one]) => match.test(one)));
}

/**
 * Adds the texts and the manifest, and makes the file.
 * @param program where its code and the list of what it bundles are
 */
async function finish(folder: string, program: string, readme: string, manifest: object): Promise<void> {
  const metafile = path.join(program, "metafile-esm.json");
  await writeFile(path.join(folder, "NOTICE.txt"), await notice(root, metafile));
  await rm(metafile);
  await cp(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  const text = await readFile(path.join(root, "docs", readme), "utf8");
  await writeFile(path.join(folder, "README.md"), fromRoot(text));
  await writeFile(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await promisify(execFile)("npm", ["pack", "--ignore-scripts", "--pack-destination", packages], { cwd: folder });
}

/** A page of `docs/` as it reads one folder up. */
function fromRoot(text: string): string {
  return text.replaceAll(/\]\((?![a-z]+:|#)([^)]+)\)/g, (_, link: string) => {
    const moved = path.posix.normalize(`docs/${link}`);
    return `](${moved})`;
  });
}
