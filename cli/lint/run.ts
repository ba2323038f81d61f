/**
 * Runs the linter: hashes files, lints those that the cache doesn't know, then checks all files against one another.
 */
import { sha256Of } from "../hashing.ts";
import type { ServerOwned } from "#core/lint/rule.ts";
import type { LintConfig } from "../config/resolve.ts";
import { noCache, openCache, type CachedResult, type LintCache } from "./cache.ts";
import type { CrossFileFindings, CacheForRoot, LintedDocument } from "./linted.ts";
import { lintAcrossFiles } from "./across.ts";
import { openThreads } from "./threads.ts";
import { readLintTarget } from "./read.ts";
import type { LintTarget } from "./targets.ts";

export interface RunOptions {
  configOf(file: string): Promise<LintConfig>;
  /** Returns the last pulled number, id and version of a document; undefined if it was never pulled. */
  baseOf?(target: LintTarget): ServerOwned | undefined;
  cache: boolean;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  progress?(done: number, all: number): void;
}

export interface LintRun {
  files: readonly LintedDocument[];
  /** Findings that come from other files, by document. */
  across: CrossFileFindings;
  caches: CacheForRoot;
}

export async function lintTargets(targets: readonly LintTarget[], options: RunOptions): Promise<LintRun> {
  const caches = createCacheForRoot(options);
  const files: LintedDocument[] = [];
  const misses: { file: LintedDocument; text: string | null }[] = [];
  for (const target of targets) {
    options.signal.throwIfAborted();
    const { file, text } = await readAndLookUp(target, options, caches);
    files.push(file);
    // Only the first texts stay in memory. Other files are read again before they are linted.
    if (text !== null) misses.push({ file, text: misses.length < 256 ? text : null });
  }
  await lintMisses(misses, options, caches);
  const across = await lintAcrossFiles(files, caches);
  await saveCaches(files, caches);
  return { files, across, caches };
}

function createCacheForRoot({ cache, env }: RunOptions): CacheForRoot {
  const open = new Map<string, LintCache>();
  return (root) => {
    let one = open.get(root.folder);
    if (one === undefined) open.set(root.folder, (one = cache ? openCache(root, env) : noCache));
    return one;
  };
}

const notLintedYet: CachedResult = { findings: "[]", facts: "null" };

/**
 * Reads a document and looks up its result in the cache.
 * @returns the document; the text is null if the cache has the result, or if the file can't be read
 */
async function readAndLookUp(
  target: LintTarget,
  options: RunOptions,
  caches: CacheForRoot,
): Promise<{ file: LintedDocument; text: string | null }> {
  const config = await options.configOf(target.file);
  const read = readLintTarget(target);
  if ("unreadable" in read) {
    const entry = { findings: JSON.stringify([read.unreadable]), facts: "null" };
    return { file: { target, config, entry }, text: null };
  }
  const { sha256, text } = read;
  const base = options.baseOf?.(target);
  const file: LintedDocument = { target, config, sha256, entry: notLintedYet, ...(base && { base }) };
  const known = target.text === undefined ? caches(target.root).get(target.path, sha256, optionsKey(file)) : null;
  if (known === null) return { file, text };
  file.entry = known;
  return { file, text: null };
}

async function lintMisses(
  misses: readonly { file: LintedDocument; text: string | null }[],
  { signal, progress }: RunOptions,
  caches: CacheForRoot,
): Promise<void> {
  if (misses.length === 0) return;
  const threads = await openThreads(misses.length);
  const queue = misses.values();
  let done = 0;
  const lintQueue = async () => {
    for (const { file, text } of queue) {
      signal.throwIfAborted();
      await lintMissedFile(file, text, threads.lint);
      if (file.sha256 !== undefined && file.target.text === undefined) {
        caches(file.target.root).put(file.target.path, file.sha256, optionsKey(file), file.entry);
      }
      done += 1;
      if (misses.length > 50) progress?.(done, misses.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: threads.parallelJobs }, lintQueue));
  } finally {
    await threads.end();
  }
}

async function lintMissedFile(
  file: LintedDocument,
  loadedText: string | null,
  lint: Awaited<ReturnType<typeof openThreads>>["lint"],
): Promise<void> {
  const { target, config, base } = file;
  let text = loadedText;
  if (text === null) {
    const read = readLintTarget(target);
    if ("unreadable" in read) {
      delete file.sha256;
      file.entry = { findings: JSON.stringify([read.unreadable]), facts: "null" };
      return;
    }
    file.sha256 = read.sha256;
    text = read.text;
  }
  file.entry = await lint({ path: target.path, text, config, ...(base && { base }) });
}

/** Stores the results for rewritten files, for the next run. */
export async function cacheFixedFiles(
  files: ReadonlyMap<LintedDocument, { text: string }>,
  caches: CacheForRoot,
): Promise<void> {
  for (const [file, { text }] of files) {
    if (file.target.text !== undefined) continue;
    caches(file.target.root).put(file.target.path, sha256Of(text), optionsKey(file), file.entry);
  }
  await saveCaches([...files.keys()], caches);
}

async function saveCaches(files: readonly LintedDocument[], caches: CacheForRoot): Promise<void> {
  for (const root of new Set(files.map(({ target }) => target.root))) await caches(root).save();
}

const keys = new WeakMap<LintConfig, string>();

function optionsKey({ config, base }: LintedDocument): string {
  let key = keys.get(config);
  if (key === undefined) {
    keys.set(config, (key = sha256Of(JSON.stringify(config)).slice(0, 16)));
  }
  return base === undefined ? key : `${key}-${base.sop ?? ""}-${base.id ?? ""}-${base.version ?? ""}`;
}
