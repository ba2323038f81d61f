/** Reads documents on disk, and the images beside them. */
import { lstat, readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { foldedKey, createPathIndex, type PathIndex } from "#core/links/link-targets.ts";
import { limits } from "#core/limits.ts";
import { documentKindOf, type SourceFile, type SourceTree } from "#core/import/files.ts";
import { CliError, invalidInputError } from "../exit.ts";
import { readSourceText } from "../read-source.ts";
import type { WalkedFile } from "../walk.ts";
import { isInsideFolder, pathWithin } from "../workspace.ts";

/** @param more further file endings that count as Markdown */
export function diskSourceFile({ file, path }: WalkedFile, more: readonly string[] = []): SourceFile {
  return {
    path,
    read: () =>
      documentKindOf(path, more) === "markdown" ? readMarkdown({ file, path }) : readWithinLimits({ file, path }),
  };
}

/** Applies the same checks to Markdown as every other command. */
async function readMarkdown(found: WalkedFile): Promise<Uint8Array> {
  const source = await readSourceText(found);
  if ("code" in source) throw new CliError(2, source);
  return Buffer.from(source.text);
}

async function readWithinLimits({ file, path }: WalkedFile): Promise<Uint8Array> {
  const { size } = await stat(file);
  if (size > limits.importSource) {
    throw invalidInputError("too_large", `${path}: the file is larger than ${limits.importSource / 1024 / 1024} MiB`, {
      path,
    });
  }
  if (size === 0) throw invalidInputError("empty", `${path}: the file is empty`, { path });
  return await readFile(file);
}

/** Finds files below `root` by path, and images in `folders` by name. Files outside `root` are treated as missing. */
export function createDiskTree(root: string, folders: readonly string[]): SourceTree {
  let names: Promise<Map<string, string>> | undefined;
  const folded = new Map<string, Promise<PathIndex>>();
  const readNamesIn = (folder: string): Promise<PathIndex> => {
    const known = folded.get(folder) ?? readdir(join(root, folder)).then(createPathIndex, () => createPathIndex([]));
    folded.set(folder, known);
    return known;
  };
  /** Returns the path as spelled on disk, which can differ from `path` in case or in Unicode form (NFD). */
  const pathOnDisk = async (path: string): Promise<string | undefined> => {
    let found = "";
    for (const part of path.split("/")) {
      const name = (await readNamesIn(found)).firstExisting([part]);
      if (name === undefined) return undefined;
      found = found === "" ? name : `${found}/${name}`;
    }
    return found;
  };
  const findFile = async (wanted: string): Promise<SourceFile | undefined> => {
    const isThere = await lstat(join(root, wanted)).catch(() => null);
    const path = isThere === null ? await pathOnDisk(wanted) : wanted;
    if (path === undefined) return undefined;
    const file = join(root, path);
    const entry = await lstat(file).catch(() => null);
    if (entry === null || !entry.isFile()) return undefined;
    const real = await realpath(file).catch(() => null);
    if (real === null || !isInsideFolder(await realpath(root), real)) return undefined;
    return { path, size: entry.size, read: () => readFile(file) };
  };
  return {
    find: findFile,
    async named(name) {
      names ??= findImagesBelow(root, folders);
      const path = (await names).get(foldedKey(name));
      return path === undefined ? undefined : await findFile(path);
    },
  };
}

const image = /\.(?:png|jpe?g|gif|webp|pdf|svg)$/i;

async function findImagesBelow(root: string, folders: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const readFolder = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      if (entry.isDirectory()) await readFolder(join(folder, entry.name));
      else if (entry.isFile() && image.test(entry.name)) {
        found.set(foldedKey(entry.name), pathWithin(root, join(folder, entry.name)));
      }
    }
  };
  for (const folder of folders) await readFolder(folder);
  return found;
}
