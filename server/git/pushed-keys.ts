/**
 * Reads the keys (id and version of the SOP) of pushed files: before the push, and in other files of the pushed commit.
 */
import { limits } from "#core/limits.ts";
import { exportedKeysOf, exportedSopIdOf, filePartsOf, type ExportedKeys } from "#core/sops/exported-keys.ts";
import { sharesHalfOfLines } from "#core/sops/import-rules.ts";
import type { PushFacts } from "../sops/import/identity-keys.ts";
import { isDocumentPath } from "./pushed-documents.ts";
import type { PushedFile, Quarantine } from "./quarantine.ts";

/**
 * Finds the ids and versions that changed documents named before the push. `had`: the ids by path. `idsBefore`: the
 * same without ids that pushed files still have, and with renamed documents. `present`: the ids in the pushed files.
 * All searches finish before the first import, because a search that takes too long refuses the whole push.
 */
export async function findKeysOfPush(
  quarantine: Quarantine,
  files: readonly PushedFile[],
  commit: string,
): Promise<Omit<PushFacts, "commits"> & { present: ReadonlySet<string>; had: ReadonlyMap<string, string> }> {
  const documents = files.filter(({ path }) => isDocumentPath(path));
  const changed = documents.filter(({ before }) => before !== null);
  const before = await readKeysOfFiles(quarantine, changed, (file) => file.before ?? "");
  const now = await readEach(
    quarantine,
    documents.filter(({ oid }) => oid !== null),
    ({ oid }) => oid ?? "",
    keysInFile,
  );
  const present = new Set([...now.values()].flatMap(({ id }) => id ?? []));
  const gone = [...before].flatMap(([file, { id }]) => (present.has(id) ? [] : [{ file, id }]));
  const idsBefore = new Map<string, { id: string; path: string }>();
  for (const { file, id } of gone) if (file.oid !== null) idsBefore.set(file.path, { id, path: file.path });
  const deleted = gone.filter(({ file }) => file.oid === null).slice(0, renamesAtMost);
  const fresh = [...now].flatMap(([file, { id }]) => (file.before === null && id === null ? [file] : []));
  const compared = deleted.length === 0 ? [] : fresh.slice(0, renamesAtMost);
  const were = await readEach(quarantine, deleted, ({ file }) => file.before ?? "", bodyOf);
  const are = await readEach(quarantine, compared, ({ oid }) => oid ?? "", bodyOf);
  for (const [{ path }, body] of are) {
    const from = deleted.find((one) => sharesHalfOfLines(were.get(one) ?? "", body));
    if (from !== undefined) idsBefore.set(path, { id: from.id, path: from.file.path });
  }
  const versions = [...before.values()].flatMap(({ id, version }) =>
    version === null ? [] : [[id, version] as const],
  );
  const had = new Map([...before].map(([{ path }, { id }]) => [path, id]));
  // a cloned file keeps its id, so only a file whose id was changed can repeat the id of another file
  const canRepeat = [...now].some(([{ path }, { id, hasKeys }]) => hasKeys && had.get(path) !== id);
  const idOf = new Map([...now].map(([{ path }, { id }]) => [path, id]));
  const pathsById = canRepeat ? await findPathsOfIds(quarantine, commit) : new Map<string, string[]>();
  const otherFileOf = async (id: string, path: string) => {
    const others = [...new Set(pathsById.get(id))].filter((other) => other !== path);
    // the text of a document can contain such a line too, so read the keys themselves
    const unread = others.filter((other) => !idOf.has(other));
    const keys = await readKeysOfFiles(quarantine, unread, (other) => `${commit}:${other}`);
    for (const other of unread) idOf.set(other, keys.get(other)?.id ?? null);
    return others.find((other) => idOf.get(other) === id) ?? null;
  };
  return { idsBefore, versionsBefore: new Map(versions), otherFileOf, present, had };
}

/** Finds the documents of a commit that contain a line with an id. @returns their paths, by the id */
async function findPathsOfIds(quarantine: Quarantine, commit: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const lines = await quarantine.search(commit, `^id:[[:blank:]]*["']?[0-9a-f-]{36}`);
  const paths = new Map<string, string[]>();
  for (const { path, line } of lines) {
    const id = /[0-9a-f-]{36}/i.exec(line)?.[0].toLowerCase();
    if (id === undefined || !isDocumentPath(path)) continue;
    const same = paths.get(id);
    if (same === undefined) paths.set(id, [path]);
    else same.push(path);
  }
  return paths;
}

/**
 * The maximum number of files of a push that are compared with deleted files to find renames. Each is compared with
 * each.
 */
const renamesAtMost = 200;

const bodyOf = (text: string) => filePartsOf(text).body;

/**
 * Returns the id in a file, and whether it has keys. A file that only has `sop`, or an id in another form, can name the
 * same SOP as another file.
 */
function keysInFile(text: string): { id: string | null; hasKeys: boolean } {
  return { id: exportedSopIdOf(text), hasKeys: /\b(?:sop|id)\b/i.test(filePartsOf(text).raw ?? "") };
}

/**
 * Reads the ids and versions that files name. Leaves out files without an id.
 * @param nameOf returns the name of a file for `Quarantine.read`
 */
export async function readKeysOfFiles<File>(
  quarantine: Quarantine,
  files: readonly File[],
  nameOf: (file: File) => string,
): Promise<ReadonlyMap<File, ExportedKeys>> {
  return await readEach(quarantine, files, nameOf, exportedKeysOf);
}

/** Reads the text of each file, in batches. Leaves out files for which `read` returns null. */
async function readEach<File, Found>(
  quarantine: Quarantine,
  files: readonly File[],
  nameOf: (file: File) => string,
  read: (text: string) => Found | null,
): Promise<ReadonlyMap<File, Found>> {
  const found = new Map<File, Found>();
  for (let at = 0; at < files.length; at += limits.importDocuments) {
    const batch = files.slice(at, at + limits.importDocuments);
    const contents = await quarantine.read(batch.map(nameOf));
    for (const [index, file] of batch.entries()) {
      const one = read(contents[index]?.toString("utf8") ?? "");
      if (one !== null) found.set(file, one);
    }
  }
  return found;
}
