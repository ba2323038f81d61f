/** Reads the keys of pushed files: those before the push, and those of other files of the pushed commit. */
import { limits } from "#core/limits.ts";
import { splitFrontMatter } from "#core/markdown/front-matter.ts";
import { exportedKeysOf, type ExportedKeys } from "#core/sops/exported-keys.ts";
import { sharesHalfOfLines } from "#core/sops/import-rules.ts";
import type { PushedFrom } from "../sops/import/identity-keys.ts";
import { isDocument } from "./pushed-documents.ts";
import type { PushedFile, Quarantine } from "./quarantine.ts";

/**
 * Gives the ids that changed documents had, by path, except those that are in another file now, and the versions that
 * they named. A new document without an id can be a deleted one under another name.
 */
export async function keysOfPush(
  quarantine: Quarantine,
  files: readonly PushedFile[],
  commit: string,
): Promise<Omit<PushedFrom, "commits"> & { present: ReadonlySet<string> }> {
  const documents = files.filter(({ path }) => isDocument(path));
  const now = documents.filter(({ oid }) => oid !== null);
  const changed = documents.filter(({ before }) => before !== null);
  const before = await keysIn(quarantine, changed, (file) => file.before ?? "");
  const kept = await keysIn(quarantine, now, ({ oid }) => oid ?? "");
  const present = new Set([...kept.values()].map(({ id }) => id));
  const gone = [...before].flatMap(([file, { id }]) => (present.has(id) ? [] : [{ file, id }]));
  const idsBefore = new Map<string, { id: string; path: string }>();
  for (const { file, id } of gone) if (file.oid !== null) idsBefore.set(file.path, { id, path: file.path });
  const deleted = gone.filter(({ file }) => file.oid === null).slice(0, renamesAtMost);
  const fresh = deleted.length === 0 ? [] : now.filter((file) => file.before === null && !kept.has(file));
  const were = await bodiesOf(
    quarantine,
    deleted.map(({ file }) => file.before ?? ""),
  );
  const are = await bodiesOf(
    quarantine,
    fresh.slice(0, renamesAtMost).map(({ oid }) => oid ?? ""),
  );
  for (const [at, body] of are.entries()) {
    const from = deleted[were.findIndex((was) => sharesHalfOfLines(was, body))];
    const path = fresh[at]?.path;
    if (from && path !== undefined) idsBefore.set(path, { id: from.id, path: from.file.path });
  }
  const versions = [...before.values()].flatMap(({ id, version }) =>
    version === null ? [] : [[id, version] as const],
  );
  const had = new Map([...before].map(([{ path }, { id }]) => [path, id]));
  // files of a clone have ids of their own, so only a file with another id than before can repeat one
  const isCopied = [...kept].some(([{ path }, { id }]) => had.get(path) !== id);
  const filesOf = filesByIdIn(quarantine, commit);
  const otherFileOf = async (id: string, path: string) => {
    if (!isCopied && had.get(path) === id) return null;
    return (await filesOf(id)).find((other) => other !== path) ?? null;
  };
  return { idsBefore, versionsBefore: new Map(versions), otherFileOf, present };
}

/** Finds the documents of a commit that have an id. The first call searches the commit. */
function filesByIdIn(quarantine: Quarantine, commit: string): (id: string) => Promise<readonly string[]> {
  const search = async () => {
    const lines = await quarantine.search(commit, `^id:[[:blank:]]*["']?[0-9a-f-]{36}`);
    const ofDocuments = lines.filter(({ path }) => isDocument(path));
    return Map.groupBy(ofDocuments, ({ line }) => /[0-9a-f-]{36}/i.exec(line)?.[0].toLowerCase() ?? "");
  };
  let found: ReturnType<typeof search> | undefined;
  const known = new Map<string, Promise<string[]>>();
  const read = async (id: string) => {
    const lines = (await (found ??= search())).get(id) ?? [];
    const paths = [...new Set(lines.map(({ path }) => path))];
    // a text can have such a line too
    const keys = await keysIn(quarantine, paths, (path) => `${commit}:${path}`);
    return paths.filter((path) => keys.get(path)?.id === id);
  };
  return (id) => {
    const files = known.get(id) ?? read(id);
    known.set(id, files);
    return files;
  };
}

/** Files of one push that are compared with deleted ones. Each is compared with each. */
const renamesAtMost = 200;

/** The texts below the front matter. @param names as `Quarantine.read` takes them */
async function bodiesOf(quarantine: Quarantine, names: readonly string[]): Promise<string[]> {
  const bodies: string[] = [];
  for (let at = 0; at < names.length; at += limits.importDocuments) {
    const contents = await quarantine.read(names.slice(at, at + limits.importDocuments));
    bodies.push(...contents.map((content) => bodyOf(content.toString("utf8"))));
  }
  return bodies;
}

/** The text below the front matter. Front matter in another language is part of the text, and refused later. */
function bodyOf(text: string): string {
  try {
    return splitFrontMatter(text).body;
  } catch {
    return text;
  }
}

/** The ids and versions in files of SOPs. @param nameOf as `Quarantine.read` takes it */
export async function keysIn<File>(
  quarantine: Quarantine,
  files: readonly File[],
  nameOf: (file: File) => string,
): Promise<Map<File, ExportedKeys>> {
  const found = new Map<File, ExportedKeys>();
  for (let at = 0; at < files.length; at += limits.importDocuments) {
    const batch = files.slice(at, at + limits.importDocuments);
    const contents = await quarantine.read(batch.map(nameOf));
    for (const [index, file] of batch.entries()) {
      const keys = exportedKeysOf(contents[index]?.toString("utf8") ?? "");
      if (keys !== null) found.set(file, keys);
    }
  }
  return found;
}
