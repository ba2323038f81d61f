/** Reads the keys of pushed files: those before the push, and those of other files of the pushed commit. */
import { limits } from "#core/limits.ts";
import { exportedKeysOf, exportedSopIdOf, filePartsOf, type ExportedKeys } from "#core/sops/exported-keys.ts";
import { sharesHalfOfLines } from "#core/sops/import-rules.ts";
import type { PushFacts } from "../sops/import/identity-keys.ts";
import { isDocument } from "./pushed-documents.ts";
import type { PushedFile, Quarantine } from "./quarantine.ts";

/**
 * Gives the ids that changed documents had, by path, except those that are in another file now, and the versions that
 * they named. A new document without an id can be a deleted one under another name. All searches end before the first
 * document is imported, because one that takes too much work refuses the whole push.
 */
export async function keysOfPush(
  quarantine: Quarantine,
  files: readonly PushedFile[],
  commit: string,
): Promise<Omit<PushFacts, "commits"> & { present: ReadonlySet<string>; had: ReadonlyMap<string, string> }> {
  const documents = files.filter(({ path }) => isDocument(path));
  const changed = documents.filter(({ before }) => before !== null);
  const before = await keysIn(quarantine, changed, (file) => file.before ?? "");
  const now = await readEach(
    quarantine,
    documents.filter(({ oid }) => oid !== null),
    ({ oid }) => oid ?? "",
    identityOf,
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
  // files of a clone have ids of their own, so only a file with another id than before can repeat one
  const canRepeat = [...now].some(([{ path }, { id, hasKeys }]) => hasKeys && had.get(path) !== id);
  const idOf = new Map([...now].map(([{ path }, { id }]) => [path, id]));
  const pathsById = canRepeat ? await pathsOfIds(quarantine, commit) : new Map<string, string[]>();
  const otherFileOf = async (id: string, path: string) => {
    const others = [...new Set(pathsById.get(id))].filter((other) => other !== path);
    // a text can have such a line too
    const unread = others.filter((other) => !idOf.has(other));
    const keys = await keysIn(quarantine, unread, (other) => `${commit}:${other}`);
    for (const other of unread) idOf.set(other, keys.get(other)?.id ?? null);
    return others.find((other) => idOf.get(other) === id) ?? null;
  };
  return { idsBefore, versionsBefore: new Map(versions), otherFileOf, present, had };
}

/** The paths of documents of a commit that have a line with an id, by the id. */
async function pathsOfIds(quarantine: Quarantine, commit: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const lines = await quarantine.search(commit, `^id:[[:blank:]]*["']?[0-9a-f-]{36}`);
  const paths = new Map<string, string[]>();
  for (const { path, line } of lines) {
    const id = /[0-9a-f-]{36}/i.exec(line)?.[0].toLowerCase();
    if (id === undefined || !isDocument(path)) continue;
    const same = paths.get(id);
    if (same === undefined) paths.set(id, [path]);
    else same.push(path);
  }
  return paths;
}

/** Files of one push that are compared with deleted ones. Each is compared with each. */
const renamesAtMost = 200;

const bodyOf = (text: string) => filePartsOf(text).body;

/** The id in a file. A file with `sop` alone, or with an id in another form, can name the same SOP as another file. */
function identityOf(text: string): { id: string | null; hasKeys: boolean } {
  return { id: exportedSopIdOf(text), hasKeys: /\b(?:sop|id)\b/i.test(filePartsOf(text).raw ?? "") };
}

/** The ids and versions in files of SOPs. @param nameOf as `Quarantine.read` takes it */
export async function keysIn<File>(
  quarantine: Quarantine,
  files: readonly File[],
  nameOf: (file: File) => string,
): Promise<ReadonlyMap<File, ExportedKeys>> {
  return await readEach(quarantine, files, nameOf, exportedKeysOf);
}

/** Reads from the text of each file, in batches, and leaves out files in which `read` finds nothing. */
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
