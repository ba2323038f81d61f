/** Builds server, CLI and web into `dist/`, if one of their sources changed. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { pack, packages } from "./pack.ts";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const sources = [
  "core",
  "server",
  "cli",
  "web",
  "templates",
  "docs",
  "deploy",
  "CHANGELOG.md",
  ".env.example",
  "package.json",
  "package-lock.json",
  "tsup.config.ts",
  "vite.config.ts",
];
const stampFile = path.join(root, "dist", ".stamp");

/** Names, sizes and times of all sources: cheap enough to check on every start. */
export async function stamp(): Promise<string> {
  const hash = createHash("sha256");
  const add = async (name: string) => {
    const { size, mtimeMs } = await stat(path.join(root, name));
    hash.update(`${name} ${size} ${mtimeMs}\n`);
  };
  for (const source of sources) {
    const full = path.join(root, source);
    if ((await stat(full)).isFile()) {
      await add(source);
      continue;
    }
    const entries = await readdir(full, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name)))
      .filter((name) => !/^docs.decisions|\.test\.tsx?$/.test(name));
    for (const name of names.sort()) await add(name);
  }
  return hash.digest("hex");
}

export async function isBuilt(): Promise<boolean> {
  const built = await readFile(stampFile, "utf8").catch(() => "");
  return built !== "" && built === (await stamp());
}

export async function build(): Promise<void> {
  await rm(path.join(root, "dist"), { recursive: true, force: true });
  await Promise.all([run("tsup", []), run("vite", ["build", "--logLevel", "warn"])]);
  await compress(path.join(root, "dist", "web"));
  await pack();
  await writeFile(stampFile, await stamp());
}

function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(path.join(root, "node_modules", ".bin", program), args, { cwd: root, stdio: ["ignore", 2, 2] });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${program} failed (${code})`))));
  });
}

async function compress(dir: string): Promise<void> {
  const names = await readdir(dir, { recursive: true });
  const texts = names.filter((name) => /\.(js|css|html|svg|json|webmanifest)$/.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const file = path.join(dir, name);
      const bytes = await readFile(file);
      if (bytes.length < 1024) return;
      const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };
      await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, brotli));
      await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes("--if-stale") || !(await isBuilt())) await build();
  if (process.argv.includes("--show")) {
    for (const name of await readdir(packages)) console.log(path.join(packages, name));
  }
}
