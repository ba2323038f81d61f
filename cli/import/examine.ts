/** Reads every document once, for its identity and its problems. Keeps no text of Markdown files. */
import { extname } from "node:path";
import { assertDocumentSize, type PreparedDocument } from "#core/import/converter.ts";
import { notSplitNote, withLinksToParts, splitDocument, type SplitResult } from "#core/import/split/split.ts";
import { placementOf, type FolderMeanings, type Placement } from "#core/import/folders.ts";
import type { SourceDocument } from "#core/import/layouts.ts";
import { CliError, failureOf, interruptedError, type Problem } from "../exit.ts";
import { refusedRow, type PlanRow } from "./plan.ts";
import { sha256Of } from "../hashing.ts";
import type { Bundle } from "./sources.ts";
import { exportedSopIdOf } from "#core/sops/exported-keys.ts";

/** A document that can be imported. `load` reads it when its request is built. */
export interface ImportCandidate {
  path: string;
  sha256: string;
  /** Paths of the import's other documents that it may link. */
  leadsTo: readonly string[];
  /** The id in the document. Without one, its path identifies its SOP. */
  id?: string;
  /** The category and tags that the document's folders give it. */
  placement: Placement;
  /** The file's name for `--to-dir` without its ending, if it differs from the path's. */
  fileName?: string;
  /** If the document is part of a file, the number of the file's lines before it. */
  lineShift?: number;
  load(): Promise<PreparedDocument | Problem>;
}

export interface ExamineOptions extends FolderMeanings {
  /** True to make several documents from one, cut at its headings. */
  split: boolean;
}

export interface ExamineResult {
  candidates: ImportCandidate[];
  refused: PlanRow[];
  /** The number of documents in folders that become neither category nor tag, although folders are kept. */
  deeper: number;
}

export async function examineBundles(
  bundles: readonly Bundle[],
  { split, ...foldersAs }: ExamineOptions,
  signal: AbortSignal,
): Promise<ExamineResult> {
  const candidates: ImportCandidate[] = [];
  const refused: PlanRow[] = [];
  const byId = new Map<string, string[]>();
  const withId = new Set<string>();
  let deeper = 0;
  for (const { documents, converter, starts } of bundles) {
    const readable: SourceDocument[] = [];
    const ids = new Map<string, string>();
    for (const document of documents) {
      if (signal.aborted) throw interruptedError();
      const { path } = document;
      const read = await resultOrProblem(path, () => converter.examine(document));
      if ("code" in read) refused.push(refusedRow(read, path));
      else if (path.length > pathLimit) refused.push(refusedRow(pathTooLongProblem(path), path));
      else {
        readable.push(document);
        const id = exportedSopIdOf(read.text) ?? document.id ?? null;
        if (id !== null) ids.set(path, id);
      }
    }
    const parts = new Map<string, SplitResult>();
    for (const document of split ? readable : []) {
      if (signal.aborted) throw interruptedError();
      // If the document can't be converted, loading it later reports that.
      const prepared = await resultOrProblem(document.path, () => converter.convert(document));
      if ("code" in prepared) continue;
      const cut = await resultOrProblem(document.path, async () => splitDocument(prepared, sha256Of));
      if (cut !== undefined && "parts" in cut) parts.set(document.path, cut);
    }
    for (const [path, id] of ids) {
      if (parts.has(path)) continue;
      byId.set(id, [...(byId.get(id) ?? []), path]);
      withId.add(path);
    }
    for (const document of readable) {
      const { path } = document;
      const placement = placementOf(path, starts, foldersAs);
      const all = placementOf(path, starts, { ...foldersAs, tags: true });
      if (foldersAs.categories && !foldersAs.tags && all.tags?.length) deeper += 1;
      const print = await converter.fingerprint(document);
      const leadsTo = print.leadsTo.flatMap((other) => parts.get(other)?.parts.map((part) => part.path) ?? [other]);
      const own = parts.get(path)?.parts;
      const convertDocument = async () => {
        const prepared = await converter.convert(document);
        return { ...prepared, notes: split ? [...prepared.notes, notSplitNote(path)] : prepared.notes };
      };
      const whole = { path, slug: undefined, sha256: print.sha256, lineShift: undefined, load: convertDocument };
      for (const one of own?.map((part) => ({ ...part, load: () => Promise.resolve(part) })) ?? [whole]) {
        if (one.path.length > pathLimit) {
          refused.push(refusedRow(pathTooLongProblem(one.path), one.path));
          continue;
        }
        const known = contentKeyWithTags(one.sha256, placement);
        candidates.push({
          path: one.path,
          ...(withId.has(one.path) && { id: ids.get(one.path) ?? "" }),
          sha256: known,
          leadsTo,
          placement,
          ...(one.slug != null && { fileName: `${path.slice(0, -extname(path).length)}/${one.slug}` }),
          ...(one.lineShift !== undefined && { lineShift: one.lineShift }),
          load: () =>
            resultOrProblem(one.path, async () => {
              const prepared = withLinksToParts<PreparedDocument>(await one.load(), parts);
              assertDocumentSize(prepared.text);
              return { ...prepared, sha256: known };
            }),
        });
      }
    }
  }
  const twins = new Map(rowsOfSharedIds(byId).concat(rowsOfSharedPaths(candidates)));
  return {
    candidates: candidates.filter(({ path }) => !twins.has(path)),
    refused: [...refused, ...twins.values()],
    deeper,
  };
}

/** Tags are part of the hash, so that a change of tags counts as a change of the document. */
function contentKeyWithTags(sum: string, { tags = [] }: Placement): string {
  return tags.length === 0 ? sum : sha256Of([sum, ...tags].join("\n"));
}

const pathLimit = 500;

/** Returns an error of the document as its problem. Any other error ends the run. */
async function resultOrProblem<T>(path: string, read: () => Promise<T>): Promise<T | Problem> {
  try {
    return await read();
  } catch (error) {
    const { problem } = failureOf(error);
    if (problem.code === "bug" || (error instanceof CliError && error.exit !== 2)) throw error;
    const message =
      problem.code === "file" ? problem.message.slice(problem.message.lastIndexOf(": ") + 2) : problem.message;
    return { ...problem, code: problem.code === "file" ? "unreadable" : problem.code, path, message };
  }
}

/** Refuses all documents that share an id, because one would overwrite the other. */
function rowsOfSharedIds(byId: ReadonlyMap<string, readonly string[]>): [string, PlanRow][] {
  return [...byId].flatMap(([id, paths]) =>
    paths.length < 2
      ? []
      : paths.map((path): [string, PlanRow] => {
          const others = paths.filter((other) => other !== path);
          const problem = {
            code: "same_id",
            message: `${path}: ${others.join(", ")} ${others.length === 1 ? "has" : "have"} the same id ${id}`,
            hint: "delete the id line in all but one",
          };
          return [path, refusedRow(problem, path)];
        }),
  );
}

/** Refuses documents from different folders that have the same relative path, which identifies them for the server. */
function rowsOfSharedPaths(candidates: readonly ImportCandidate[]): [string, PlanRow][] {
  const seen = new Set<string>();
  return candidates.flatMap(({ path }): [string, PlanRow][] => {
    if (!seen.has(path)) {
      seen.add(path);
      return [];
    }
    const problem = {
      code: "same_path",
      message: `${path}: two sources have this path`,
      hint: "import them one after the other, from the folder that holds them",
    };
    return [[path, refusedRow(problem, path)]];
  });
}

function pathTooLongProblem(path: string): Problem {
  return { code: "path_too_long", message: `${path}: the path is longer than ${pathLimit} characters`, path };
}
