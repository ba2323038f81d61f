/** Wraps all disk access of repositories, so that tests can simulate a power loss at each call. */
import * as fs from "node:fs/promises";

export interface OpenFile {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}

export interface Disk {
  readFile(path: string): Promise<Buffer>;
  /** With `wx`, fails with EEXIST if the file exists. */
  writeFile(path: string, data: Uint8Array | string, flag?: "w" | "wx"): Promise<void>;
  open(path: string): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  /** Removes a folder with its content. The folder may be missing. */
  remove(path: string): Promise<void>;
  readdir(path: string): Promise<string[]>;
  stat(path: string): Promise<Awaited<ReturnType<typeof fs.stat>>>;
}

export const realDisk: Disk = {
  readFile: (path) => fs.readFile(path),
  writeFile: (path, data, flag = "w") => fs.writeFile(path, data, { flag, mode: 0o600 }),
  open: (path) => fs.open(path),
  rename: (from, to) => fs.rename(from, to),
  unlink: (path) => fs.unlink(path),
  mkdir: (path) => fs.mkdir(path, 0o700),
  rmdir: (path) => fs.rmdir(path),
  remove: (path) => fs.rm(path, { recursive: true, force: true }),
  readdir: (path) => fs.readdir(path),
  stat: (path) => fs.stat(path),
};

/** Returns the code of an error, such as ENOENT; undefined for an error without one. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Creates a folder and its parents, unless they exist. */
export async function createFolderOnDisk(disk: Disk, path: string): Promise<void> {
  try {
    await disk.mkdir(path);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === "EEXIST") return;
    if (code !== "ENOENT") throw error;
    await createFolderOnDisk(disk, path.slice(0, path.lastIndexOf("/")));
    await createFolderOnDisk(disk, path);
  }
}

/** Reads the file's bytes; null if it is missing. */
export async function readIfThere(disk: Disk, path: string): Promise<Buffer | null> {
  try {
    return await disk.readFile(path);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR") return null;
    throw error;
  }
}

/** Lists the names in a folder; none if the folder is missing. */
export async function listNamesInFolder(disk: Disk, path: string): Promise<string[]> {
  try {
    return await disk.readdir(path);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}

/** Removes a file if it exists. */
export async function unlinkIfThere(disk: Disk, path: string): Promise<void> {
  try {
    await disk.unlink(path);
  } catch (error) {
    if (errorCodeOf(error) !== "ENOENT") throw error;
  }
}
