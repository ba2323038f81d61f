/**
 * Turns chosen or dropped files into files for the converter. A folder becomes one zip, because its links and images
 * belong together.
 */
import { strToU8, zipSync } from "fflate";
import { kindOf } from "#core/import/files.ts";
import { pictureName } from "#core/import/picture-name.ts";

/** A file for the converter. */
export interface Source {
  file: File;
  /** True if the file is a zip made from a folder. Its name is then in no path. */
  isFolder: boolean;
}

interface InFolder {
  /** The path within the folder. */
  path: string;
  file: File;
}

/** @param dropped the files and folders that `entriesOf` returned */
export async function filesOf(dropped: readonly FileSystemEntry[]): Promise<Source[]> {
  const files: Source[] = [];
  for (const entry of dropped) {
    if (isFile(entry)) files.push({ file: await fileOf(entry), isFolder: false });
    else if (isFolder(entry)) files.push(await zipOf(entry.name, await contentOf(entry, "")));
  }
  return files;
}

/** @param chosen files from an input for folders; each path begins with the folder's name */
export async function folderOf(chosen: readonly File[]): Promise<Source[]> {
  const [first] = chosen;
  if (!first) return [];
  const inside = chosen.map((file) => ({ file, path: file.webkitRelativePath.split("/").slice(1).join("/") }));
  return [await zipOf(first.webkitRelativePath.split("/")[0] ?? first.name, inside)];
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));

async function contentOf(folder: FileSystemDirectoryEntry, path: string): Promise<InFolder[]> {
  const reader = folder.createReader();
  const found: InFolder[] = [];
  // A directory reader returns some entries at a time, and none at the end.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return found;
    for (const entry of entries) {
      if (entry.name.startsWith(".")) continue;
      if (isFile(entry)) found.push({ path: path + entry.name, file: await fileOf(entry) });
      else if (isFolder(entry)) found.push(...(await contentOf(entry, `${path}${entry.name}/`)));
    }
  }
}

async function zipOf(name: string, content: readonly InFolder[]): Promise<Source> {
  const entries: Record<string, Uint8Array> = {};
  for (const { path, file } of content) {
    // Other files are left out of the import, so the plan needs only their names.
    const isRead = kindOf(path) !== undefined || pictureName.test(path);
    entries[path] = isRead ? new Uint8Array(await file.arrayBuffer()) : strToU8("-");
  }
  return { file: new File([zipSync(entries, { level: 0 })], `${name}.zip`), isFolder: true };
}
