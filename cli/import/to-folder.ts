/** Writes the converted documents of `sop import --to-dir` as files, without a server. */
import { stat } from "node:fs/promises";
import { extname, join, posix, resolve } from "node:path";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { mergedNotes, noteInFile } from "#core/import/markdown/report.ts";
import { newId } from "#core/ids.ts";
import type { PreparedDocument } from "#core/import/converter.ts";
import { mergedTags } from "#core/import/folders.ts";
import { linkedDocumentOf } from "#core/import/link-to.ts";
import { assetAddress } from "#core/import/stored-files.ts";
import { foldedKey } from "#core/links/link-targets.ts";
import { windowsDevice } from "#core/repository/names.ts";
import { fileTextOf } from "#core/markdown/front-matter.ts";
import { exit, failureOf, interruptedError, invalidInputError } from "../exit.ts";
import { readIfExists, writeFileAtomically } from "../files.ts";
import { asFileProblem } from "../texts.ts";
import type { CommandContext } from "../context.ts";
import type { ImportCandidate } from "./examine.ts";
import { shiftLines } from "./notes.ts";
import { readImportRecords, writeImportRecords, type ImportRecords } from "./import-map.ts";
import { refusedRow, type PlanRow } from "./plan.ts";
import type { SendResult } from "./send.ts";
import { sha256Of } from "../hashing.ts";

export interface FolderOptions {
  folder: string;
  dryRun?: boolean;
  onConflict: "skip" | "theirs" | "copy";
  importId?: string | undefined;
  limit?: number | undefined;
  failFast?: boolean | undefined;
  onRowsDone?: (rows: readonly PlanRow[]) => Promise<void>;
}

interface FolderImportWork {
  /** Paths of documents that aren't written. Links to them stay as they are. */
  refused: Set<string>;
  folder: string;
  options: FolderOptions;
  /** The path of each document in the target folder, without `.md` and without the number of a copy. */
  names: ReadonlyMap<string, string>;
  map: ImportRecords;
}

/** Writes file by file, each whole or not at all. An existing file with another text is a conflict. */
export async function writeImportToFolder(
  candidates: readonly ImportCandidate[],
  options: FolderOptions,
  context: CommandContext,
): Promise<SendResult> {
  const rows: PlanRow[] = [];
  const folder = resolve(context.cwd, options.folder);
  if ((await stat(folder).catch(() => null))?.isDirectory() === false) {
    throw invalidInputError("not_a_folder", `${options.folder}: not a folder`, { path: options.folder });
  }
  const refused = new Set<string>();
  const before = await readImportRecords(folder);
  const work = { refused, folder, options, names: outputPaths(candidates), map: await readImportRecords(folder) };
  const sent = { importId: options.importId ?? newId(), rows, quota: null, onServer: null };
  let changes = 0;
  const saveMapAndFinish = async (stopped: SendResult["stopped"]): Promise<SendResult> => {
    if (changes > 0 && options.dryRun !== true) await writeImportRecords(folder, work.map);
    return { ...sent, stopped };
  };
  for (const candidate of candidates) {
    if (context.signal.aborted) return await saveMapAndFinish(interruptedError());
    context.out.progress(`converting ${rows.length + 1} of ${candidates.length}`);
    try {
      const row = await writeDocument(candidate, work, changes >= (options.limit ?? Number.POSITIVE_INFINITY));
      rows.push(row);
      if (row.outcome === "refused") refused.add(candidate.path);
      if (row.outcome === "create" || row.outcome === "update") changes += 1;
      if (options.dryRun !== true && row.outcome !== "unchanged") await options.onRowsDone?.([row]);
      if (options.failFast && (row.outcome === "refused" || row.outcome === "conflict")) {
        for (const { path } of candidates.slice(rows.length))
          rows.push({ path, outcome: "unknown", reason: "not written", notes: [] });
        return await saveMapAndFinish(null);
      }
    } catch (error) {
      const stopped = failureOf(error);
      if (stopped.problem.code === "bug") throw error;
      // The disk is full or read-only, so the next file would fail too.
      return { ...sent, stopped: { ...stopped, exit: exit.invalid } };
    }
  }
  // Documents that link a refused one were written with a link to its file. They are written again without it.
  for (const [index, candidate] of candidates.entries()) {
    const row = rows[index];
    if (!candidate.leadsTo.some((path) => refused.has(path)) || row === undefined || !isWrittenOutcome(row)) continue;
    const again = await writeDocument(candidate, work, false);
    const isSame = before[candidate.path]?.written === work.map[candidate.path]?.written;
    const outcome = options.dryRun ? again.outcome : isSame && row.outcome === "update" ? "unchanged" : row.outcome;
    rows[index] = { ...again, outcome };
  }
  return await saveMapAndFinish(null);
}

function isWrittenOutcome({ outcome }: PlanRow): boolean {
  return outcome === "create" || outcome === "update" || outcome === "unchanged";
}

/**
 * Returns a unique path in the target folder for each document, without `.md`: `a.docx` and `a.md` become `a` and
 * `a-2`. Paths differ by more than case or Unicode form and are valid on Windows.
 */
function outputPaths(candidates: readonly ImportCandidate[]): Map<string, string> {
  const taken = new Set<string>();
  const folders = new Map<string, string>();
  return new Map(
    candidates.map(({ path, fileName }) => {
      const written = fileName ?? path.slice(0, path.length - extname(path).length).replace(/\.(?:md|markdown)$/i, "");
      const parts = written.split("/").map(writableName);
      // On macOS and Windows, folders named IT and it are the same folder.
      const folder = parts.slice(0, -1).reduce((above, part) => {
        const place = `${above}${part}/`;
        const known = folders.get(foldedKey(place)) ?? place;
        folders.set(foldedKey(place), known);
        return known;
      }, "");
      const bare = folder + (parts.at(-1) ?? "");
      let name = bare;
      for (let copy = 2; taken.has(foldedKey(name)); copy += 1) name = `${bare}-${copy}`;
      taken.add(foldedKey(name));
      return [path, name];
    }),
  );
}

/** Removes what Windows refuses in a name: some characters, names of devices, a dot or space at the end. */
function writableName(name: string): string {
  const plain = name
    .normalize("NFC")
    // oxlint-disable-next-line no-control-regex -- Windows refuses them
    .replace(/[\u0000-\u001f<>:"\\|?*]/g, "-")
    .replace(/[. ]+$/, "");
  return windowsDevice.test(plain.toLowerCase().replace(/\..*$/, "")) || plain === "" ? `${plain}-document` : plain;
}

async function writeDocument(candidate: ImportCandidate, work: FolderImportWork, isBeyond: boolean): Promise<PlanRow> {
  const { folder, options, names, map, refused } = work;
  const prepared = await candidate.load();
  if ("code" in prepared) return refusedRow(prepared, candidate.path);
  const name = names.get(candidate.path) ?? candidate.path;
  const converted = convertToFile(prepared, candidate, name, (path) =>
    refused.has(path) ? undefined : names.get(path),
  );
  if ("outcome" in converted) return converted;
  const row = { path: candidate.path, title: converted.title, notes: converted.notes };
  const at = await chooseFileFor(candidate, join(folder, name), converted.text, options.onConflict, map);
  if (at.outcome === "conflict") {
    return {
      ...row,
      outcome: "conflict",
      reason: `${at.file} already exists with another text`,
      hint: "--on-conflict theirs overwrites it, copy writes a second file",
    };
  }
  if (at.outcome !== "unchanged" && isBeyond) {
    return { ...row, outcome: "skip", reason: `beyond --limit ${options.limit ?? 0}` };
  }
  if (!options.dryRun) {
    if (at.outcome !== "unchanged") {
      for (const file of prepared.files) await writeAsset(join(folder, assetFileName(file)), file);
      await writeFileAtomically(at.file, converted.text);
    }
    if (!at.isKept)
      map[candidate.path] = {
        sha256: candidate.sha256,
        file: at.file.slice(folder.length + 1),
        written: sha256Of(converted.text),
      };
  }
  return { ...row, outcome: at.outcome };
}

type PreparedFile = PreparedDocument["files"][number];

function assetFileName({ sha256: sum, ext }: PreparedFile): string {
  return `assets/${sum.slice(0, 16)}.${ext}`;
}

async function writeAsset(path: string, file: PreparedFile): Promise<void> {
  if ((await readIfExists(path)) === null) await writeFileAtomically(path, await file.read());
}

function convertToFile(
  prepared: PreparedDocument,
  { placement: { tags = [] }, lineShift = 0 }: ImportCandidate,
  name: string,
  nameOf: (path: string) => string | undefined,
) {
  const { path, files } = prepared;
  const relativeUrl = (target: string) =>
    encodeURI(posix.relative(posix.dirname(name), target)).replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"));
  const addressOf = (other: string) => {
    const found = nameOf(other);
    return found === undefined ? undefined : relativeUrl(`${found}.md`);
  };
  try {
    const { text: linked, notes: waiting } = linkedDocumentOf(prepared, addressOf);
    const { frontMatter, body, report } = readMarkdownDocument({ path, text: linked });
    const notes = mergedNotes([...prepared.notes, ...waiting], shiftLines(report, lineShift)).map(noteInFile);
    if (tags.length > 0) frontMatter.tags = mergedTags(frontMatter.tags, tags);
    let text = fileTextOf(frontMatter, body);
    for (const file of files) text = text.replaceAll(assetAddress(file), relativeUrl(assetFileName(file)));
    return { text, title: frontMatter.title ?? "", notes };
  } catch (error) {
    return refusedRow(asFileProblem(path, error), path);
  }
}

interface TargetFile {
  file: string;
  outcome: "create" | "update" | "unchanged" | "conflict";
  /** True to leave a file that a user edited, and its import record, as they are. */
  isKept?: boolean;
}

/**
 * Chooses `name.md`, or `name-2.md` and so on for a copy. Compares the file's text with the last import's and the
 * source's.
 */
async function chooseFileFor(
  { path, sha256: source }: ImportCandidate,
  name: string,
  text: string,
  onConflict: FolderOptions["onConflict"],
  map: ImportRecords,
): Promise<TargetFile> {
  const base = map[path];
  for (let copy = 1; ; copy += 1) {
    const file = copy === 1 ? `${name}.md` : `${name}-${copy}.md`;
    const existing = await readIfExists(file);
    if (existing === null) return { file, outcome: "create" };
    if (existing.equals(Buffer.from(text))) return { file, outcome: "unchanged" };
    if (base !== undefined && copy === 1 && file.endsWith(base.file)) {
      if (sha256Of(existing) === base.written) return { file, outcome: "update" };
      if (base.sha256 === source) return { file, outcome: "unchanged", isKept: true };
    }
    if (onConflict === "theirs") return { file, outcome: "update" };
    if (onConflict === "skip") return { file, outcome: "conflict" };
  }
}
