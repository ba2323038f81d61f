/**
 * Writes an export to a folder. All files are written to a staging folder before the first is moved into place. A later
 * export removes files that only the earlier export wrote.
 */
import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, readFile, realpath, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { sha256Of } from "../hashing.ts";
import { foldedKey } from "#core/links/link-targets.ts";
import { CliError, exit } from "../exit.ts";
import { readIfExists, writeFileAtomically } from "../files.ts";
import type { ExportFormat } from "../option-values.ts";

export type WriteFile = (path: string, data: string | Uint8Array) => Promise<void>;

/** Returns a function that writes a file once, even if several documents share it and are exported in parallel. */
export function createSharedFileWriter(writeFile: WriteFile) {
  const written = new Map<string, Promise<void>>();
  return (path: string, read: () => Promise<Uint8Array>): Promise<void> => {
    const writing = written.get(path) ?? read().then((bytes) => writeFile(path, bytes));
    written.set(path, writing);
    return writing;
  };
}

/** The SHA-256 of each file that an export wrote, by path. */
type WrittenHashes = Record<string, string>;

/** The file in the export's folder that lists what the exports of each format wrote. */
export const exportManifestName = ".sop-export.json";

interface Manifest {
  schema: 1;
  formats: Partial<Record<ExportFormat, WrittenHashes>>;
}

export interface WrittenFolder {
  /** Paths relative to the folder, sorted. */
  files: string[];
  /** Files of the earlier export that this export deleted. */
  removed: string[];
  /** Files of the earlier export that stay, because a user changed them or this export isn't complete. */
  kept: string[];
}

/**
 * Writes the files that `fill` produces, and deletes outdated files of the earlier export.
 * @param isWhole says, after `fill`, whether the export replaces the earlier one of its format
 */
export async function writeExportFolder(
  target: string,
  format: ExportFormat,
  fill: (writeFile: WriteFile) => Promise<void>,
  isWhole: () => boolean,
): Promise<WrittenFolder> {
  const isThere = (await readdir(target).catch(() => null)) !== null;
  // The staging folder is on the same disk as the target, so that each file can be renamed into place.
  const staging = join(
    isThere ? target : dirname(target),
    `.${basename(target)}.${randomUUID().slice(0, 8)}.sop-export`,
  );
  try {
    await mkdir(staging, { recursive: true });
    const written: WrittenHashes = {};
    await fill(async (path, data) => {
      written[path] = sha256Of(data);
      await writeFileAtomically(pathInsideFolder(staging, path), data);
    });
    const files = Object.keys(written).sort();
    if (!isThere) {
      await writeManifest(staging, { schema: 1, formats: { [format]: written } });
      await rename(staging, target);
      return { files, removed: [], kept: [] };
    }
    const manifest = await readExportManifest(target);
    const earlier = manifest.formats[format] ?? {};
    const save = (now: WrittenHashes) =>
      writeManifest(target, { ...manifest, formats: { ...manifest.formats, [format]: now } });
    // Saved before the files are moved, so that the next export recognizes the files of an interrupted one.
    await save({ ...earlier, ...written });
    await moveFilesInto(staging, target, files);
    const others = Object.values({ ...manifest.formats, [format]: written }).flatMap((one) => Object.keys(one));
    const needed = new Set(others.map(foldedKey));
    const gone = Object.keys(earlier).filter((path) => !needed.has(foldedKey(path)));
    const removed: string[] = [];
    for (const path of isWhole() ? gone.sort() : []) {
      if (await deleteIfUnchanged(target, path, earlier[path] ?? "")) removed.push(path);
    }
    const kept = gone.filter((path) => !removed.includes(path));
    const stays = Object.fromEntries(kept.map((path) => [path, earlier[path] ?? ""]));
    await save({ ...stays, ...written });
    return { files, removed, kept: await findExistingPaths(target, kept) };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Says whether an earlier export of this format wrote files to the folder. */
export async function hasExport(target: string, format: ExportFormat): Promise<boolean> {
  return Object.keys((await readExportManifest(target)).formats[format] ?? {}).length > 0;
}

/**
 * Reads the manifest of earlier exports. Returns an empty one if the file is missing or damaged; then no file is
 * removed.
 */
async function readExportManifest(folder: string): Promise<Manifest> {
  const bytes = await readIfExists(join(folder, exportManifestName));
  try {
    const read = JSON.parse(bytes?.toString("utf8") ?? "") as Manifest;
    if (read.schema === 1 && Object.values(read.formats).every(isMapOfHashes)) return read;
  } catch {
    // A manifest that can't be read counts as missing.
  }
  return { schema: 1, formats: {} };
}

function isMapOfHashes(files: unknown): boolean {
  const isObject = typeof files === "object" && files !== null;
  return isObject && Object.values(files).every((sha256) => typeof sha256 === "string");
}

async function writeManifest(folder: string, { formats }: Manifest): Promise<void> {
  const sorted = Object.entries(formats).map(([format, files]) => [
    format,
    Object.fromEntries(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1))),
  ]);
  const manifest = { schema: 1, formats: Object.fromEntries(sorted) as Manifest["formats"] } satisfies Manifest;
  await writeFileAtomically(join(folder, exportManifestName), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Deletes a file that still has this hash, and its folders that become empty. Returns whether it deleted the file.
 * Leaves files outside the target alone, because a stranger's manifest can name any path.
 */
async function deleteIfUnchanged(target: string, path: string, sha256: string): Promise<boolean> {
  const file = resolve(target, path);
  try {
    const root = await realpath(target);
    if (!(await realpath(file)).startsWith(root + sep) || !(await lstat(file)).isFile()) return false;
    if (sha256Of(await readFile(file)) !== sha256) return false;
    await rm(file);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
  for (let folder = dirname(file); folder.startsWith(target + sep); folder = dirname(folder)) {
    if ((await rmdir(folder).catch(() => "not empty")) !== undefined) break;
  }
  return true;
}

async function findExistingPaths(target: string, paths: readonly string[]): Promise<string[]> {
  const there = await Promise.all(paths.map((path) => lstat(resolve(target, path)).catch(() => null)));
  return paths.filter((_, index) => there[index] !== null);
}

/**
 * Returns the path of a file in the folder.
 * @throws exit 5 if a name, which the server sent, leads out of the folder
 */
function pathInsideFolder(folder: string, path: string): string {
  const file = resolve(folder, path);
  if (file.startsWith(folder + sep)) return file;
  throw new CliError(exit.network, {
    code: "unexpected_answer",
    message: `the server names a file outside the folder: ${path}`,
  });
}

/** Moves the written files from the staging folder to the target, and replaces existing files. */
async function moveFilesInto(staging: string, target: string, written: readonly string[]): Promise<void> {
  for (const path of written) {
    const file = pathInsideFolder(target, path);
    await mkdir(dirname(file), { recursive: true });
    await rename(pathInsideFolder(staging, path), file);
  }
}
