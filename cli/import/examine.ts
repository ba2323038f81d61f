/** Reads every document once, for its identity and its problems. Keeps no text of Markdown files. */
import { splitFrontMatter } from "#core/markdown/front-matter.ts";
import { isId } from "#core/ids.ts";
import type { Prepared } from "#core/import/converter.ts";
import { placementOf, type FoldersAs, type Placement } from "#core/import/folders.ts";
import type { SourceDocument } from "#core/import/layouts.ts";
import { CliError, failureOf, interrupted, type Problem } from "../exit.ts";
import { refusedRow, type PlanRow } from "./plan.ts";
import { sha256, type Bundle } from "./sources.ts";

/** A document that can be imported, read when its turn comes. */
export interface Candidate {
  path: string;
  sha256: string;
  /** Other documents of the import that it may link. */
  leadsTo: readonly string[];
  /** It has an id, so its path can't identify its SOP. */
  hasId: boolean;
  /** What its folders say. */
  placement: Placement;
  load(): Promise<Prepared | Problem>;
}

export interface ExamineResult {
  candidates: Candidate[];
  refused: PlanRow[];
  /** Documents in folders that become neither category nor tag, although folders are kept. */
  deeper: number;
}

export async function examine(
  bundles: readonly Bundle[],
  foldersAs: FoldersAs,
  signal: AbortSignal,
): Promise<ExamineResult> {
  const candidates: Candidate[] = [];
  const refused: PlanRow[] = [];
  const byId = new Map<string, string[]>();
  const withId = new Set<string>();
  let deeper = 0;
  for (const { documents, converter, starts } of bundles) {
    const readable: SourceDocument[] = [];
    for (const document of documents) {
      if (signal.aborted) throw interrupted();
      const { path } = document;
      const read = await attempt(path, () => converter.examine(document));
      if ("code" in read) refused.push(refusedRow(read, path));
      else if (path.length > pathLimit) refused.push(refusedRow(pathTooLong(path), path));
      else {
        readable.push(document);
        const id = idOf(read.text) ?? document.id ?? null;
        if (id !== null) {
          byId.set(id, [...(byId.get(id) ?? []), path]);
          withId.add(path);
        }
      }
    }
    for (const document of readable) {
      const { path } = document;
      const placement = placementOf(path, starts, foldersAs);
      const whole = placementOf(path, starts, { ...foldersAs, tags: true });
      if (foldersAs.categories && !foldersAs.tags && whole.tags?.length) deeper += 1;
      const { sha256, leadsTo } = await converter.fingerprint(document);
      const known = knownBy(sha256, placement);
      const load = () => attempt(path, async () => ({ ...(await converter.convert(document)), sha256: known }));
      candidates.push({ path, hasId: withId.has(path), sha256: known, leadsTo, placement, load });
    }
  }
  const twins = new Map(sharedIds(byId).concat(sharedPaths(candidates)));
  return {
    candidates: candidates.filter(({ path }) => !twins.has(path)),
    refused: [...refused, ...twins.values()],
    deeper,
  };
}

/** Other tags are a change of the document. */
function knownBy(sum: string, { tags = [] }: Placement): string {
  return tags.length === 0 ? sum : sha256([sum, ...tags].join("\n"));
}

const pathLimit = 500;

/** Turns a fault of the document into its problem; any other error ends the run. */
async function attempt<T>(path: string, read: () => Promise<T>): Promise<T | Problem> {
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

/** The id a file of ours carries; ids of other tools are text like any other. */
function idOf(text: string): string | null {
  try {
    const { raw } = splitFrontMatter(text);
    const id = raw === null ? undefined : /^id:[ \t]*(["']?)([0-9A-Fa-f-]{36})\1[ \t]*(?:#.*)?$/m.exec(raw)?.[2];
    return isId(id) ? id.toLowerCase() : null;
  } catch {
    // Front matter that can't be read is refused by the server, with the line.
    return null;
  }
}

/** Which of them is the SOP? Taking both would save one over the other, so neither is taken. */
function sharedIds(byId: ReadonlyMap<string, readonly string[]>): [string, PlanRow][] {
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

/** Two folders outside one workspace can contain the same relative path, which identifies a document for the server. */
function sharedPaths(candidates: readonly Candidate[]): [string, PlanRow][] {
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

function pathTooLong(path: string): Problem {
  return { code: "path_too_long", message: `${path}: the path is longer than ${pathLimit} characters`, path };
}
