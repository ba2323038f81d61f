/**
 * Turns chosen or dropped files into files for the converter. A folder becomes one zip, because its links and images
 * belong together.
 */
import { strToU8, zipSync } from "fflate";
import { documentKindOf } from "#core/import/files.ts";
import { imageFilePattern } from "#core/import/image-name.ts";

/** A file for the converter. */
export interface ImportSource {
  file: File;
  /** True if the file is a zip made from a folder. The zip's name is then part of no document's path. */
  isFolder: boolean;
}

interface FolderFile {
  /** The path within the folder. */
  path: string;
  file: File;
}

/**
 * Reads dropped files, and makes a zip of each dropped folder.
 * @param dropped the files and folders that `droppedEntries` returned
 */
export async function readDroppedSources(dropped: readonly FileSystemEntry[]): Promise<ImportSource[]> {
  const files: ImportSource[] = [];
  for (const entry of dropped) {
    if (isFileEntry(entry)) files.push({ file: await readFileEntry(entry), isFolder: false });
    else if (isFolderEntry(entry)) files.push(await createZipSource(entry.name, await readFolderFiles(entry, "")));
  }
  return files;
}

/**
 * Makes a zip of a chosen folder.
 * @param chosen files from an input for folders; each path begins with the folder's name
 */
export async function zipChosenFolder(chosen: readonly File[]): Promise<ImportSource[]> {
  const [first] = chosen;
  if (!first) return [];
  const inside = chosen.map((file) => ({ file, path: file.webkitRelativePath.split("/").slice(1).join("/") }));
  return [await createZipSource(first.webkitRelativePath.split("/")[0] ?? first.name, inside)];
}

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolderEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const readFileEntry = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject));

async function readFolderFiles(folder: FileSystemDirectoryEntry, path: string): Promise<FolderFile[]> {
  const reader = folder.createReader();
  const found: FolderFile[] = [];
  // A directory reader returns some entries at a time, and none at the end.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return found;
    for (const entry of entries) {
      if (entry.name.startsWith(".")) continue;
      if (isFileEntry(entry)) found.push({ path: path + entry.name, file: await readFileEntry(entry) });
      else if (isFolderEntry(entry)) found.push(...(await readFolderFiles(entry, `${path}${entry.name}/`)));
    }
  }
}

async function createZipSource(name: string, content: readonly FolderFile[]): Promise<ImportSource> {
  const entries: Record<string, Uint8Array> = {};
  for (const { path, file } of content) {
    // Other files are left out of the import, so the plan needs only their names.
    const isRead = documentKindOf(path) !== undefined || imageFilePattern.test(path);
    entries[path] = isRead ? new Uint8Array(await file.arrayBuffer()) : strToU8("-");
  }
  return { file: new File([zipSync(entries, { level: 0 })], `${name}.zip`), isFolder: true };
}
