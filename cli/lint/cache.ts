/**
 * The linter's findings in each file, stored between runs. One line a file: path, key, checksum, findings, facts. The
 * key is the SHA-256 of the bytes and a hash of the options. The first line names the rule set. An unreadable line is a
 * miss.
 */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { fileURLToPath } from "node:url";
import { sha256Of } from "../hashing.ts";
import { homeFolder } from "../home.ts";
import { loadGarbageCollector } from "./many-files.ts";
import type { LintRoot } from "./targets.ts";

/** Findings and facts as JSON text, because most of them are passed on without parsing. */
export interface CachedResult {
  findings: string;
  facts: string;
}

export interface LintCache {
  get(path: string, sha256: string, options: string): CachedResult | null;
  /** Returns the facts about a file, such as its links. Facts don't depend on lint options. */
  facts(path: string, sha256: string): string | null;
  put(path: string, sha256: string, options: string, entry: CachedResult): void;
  /** Writes the cache to disk. Ignores errors, because the run doesn't need the cache. */
  save(): Promise<void>;
}

export const noCache: LintCache = { get: () => null, facts: () => null, put: () => {}, save: async () => {} };

/**
 * Returns the path of the cache: in `.sop/cache` of a workspace, or else in the user's cache folder, so that linting
 * leaves no files in other folders.
 */
function cacheFilePath({ folder, kind }: LintRoot, env: NodeJS.ProcessEnv): string {
  if (kind === "workspace") return join(folder, ".sop", "cache", "lint");
  const home = env["XDG_CACHE_HOME"] || join(homeFolder(), ".cache");
  return join(home, "sopwright", "lint", sha256Of(folder).slice(0, 32));
}

export function openCache(root: LintRoot, env: NodeJS.ProcessEnv): LintCache {
  const file = cacheFilePath(root, env);
  const header = `sop-lint-cache/1 ${ruleSetHash()}`;
  const lines = readCacheLines(file, header);
  const fresh = new Set<string>();
  const lookUp = (path: string, isKey: (key: string) => boolean): CachedResult | null => {
    const [key = "", sum, findings, facts] = lines.get(path)?.split("\t") ?? [];
    if (findings === undefined || facts === undefined || !isKey(key)) return null;
    return sum === checksumOfEntry(findings, facts) ? { findings, facts } : null;
  };
  return {
    get: (path, sha256, options) => lookUp(path, (key) => key === `${sha256}-${options}`),
    facts: (path, sha256) => lookUp(path, (key) => key.startsWith(`${sha256}-`))?.facts ?? null,
    put: (path, sha256, options, { findings, facts }) => {
      lines.set(path, `${sha256}-${options}\t${checksumOfEntry(findings, facts)}\t${findings}\t${facts}`);
      fresh.add(path);
    },
    save: async () => {
      if (fresh.size === 0) return;
      for (const path of lines.keys()) {
        if (!fresh.has(path) && !existsSync(join(root.folder, path))) lines.delete(path);
      }
      await writeLintCache(file, header, lines).catch(() => {});
    },
  };
}

function checksumOfEntry(findings: string, facts: string): string {
  return crc32(facts, crc32(findings)).toString(36);
}

function readCacheLines(file: string, header: string): Map<string, string> {
  const lines = new Map<string, string>();
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return lines;
  }
  if (!text.startsWith(`${header}\n`)) return lines;
  for (let start = header.length + 1; start < text.length;) {
    const end = text.indexOf("\n", start);
    const tab = text.indexOf("\t", start);
    // A last line without a line end is incomplete.
    if (end === -1) break;
    if (tab !== -1 && tab < end) lines.set(text.slice(start, tab), text.slice(tab + 1, end));
    start = end + 1;
  }
  return lines;
}

async function writeLintCache(file: string, header: string, lines: ReadonlyMap<string, string>): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true });
  const ignored = join(folder, ".gitignore");
  if (!existsSync(ignored)) await writeFile(ignored, "*\n");
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    const output = await open(temporary, "wx");
    try {
      let piece = `${header}\n`;
      const collectNowAndThen = await loadGarbageCollector(lines.size);
      for (const [path, line] of lines) {
        if (/[\t\n]/.test(path)) continue;
        piece += `${path}\t${line}\n`;
        if (piece.length < 1 << 20) continue;
        await output.write(piece);
        piece = "";
        collectNowAndThen();
      }
      await output.write(piece);
    } finally {
      await output.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Returns a hash that changes with the linter's own code. Built files have content hashes in their names; sources are
 * identified by size and time.
 */
function ruleSetHash(): string {
  const self = fileURLToPath(import.meta.url);
  const built = self.endsWith(".js");
  const folder = built ? dirname(self) : join(dirname(self), "../../core");
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: !built, encoding: "utf8" }).sort()) {
    if (!/\.[jt]s$/.test(name)) continue;
    const { size, mtimeMs } = statSync(join(folder, name));
    hash.update(`${name} ${size} ${built ? "" : mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 32);
}
