/** Reads every file once: its hash, and what keeps it from being imported. No text is kept. */
import { splitFrontMatter } from "#core/markdown/front-matter.ts";
import { isId } from "#core/ids.ts";
import { readSource } from "../read-source.ts";
import type { FoundFile } from "../walk.ts";
import type { Problem } from "../exit.ts";
import type { PlanRow } from "./plan.ts";

export interface Candidate extends FoundFile {
  sha256: string;
}

export interface Examined {
  candidates: Candidate[];
  refused: PlanRow[];
}

export async function examine(files: readonly FoundFile[], signal: AbortSignal): Promise<Examined> {
  const candidates: Candidate[] = [];
  const refused: PlanRow[] = [];
  const byId = new Map<string, FoundFile[]>();
  for (const found of files) {
    signal.throwIfAborted();
    const source = await readSource(found);
    if ("code" in source) refused.push(refusedRow(source, found.path));
    else if (found.path.length > pathLimit) refused.push(refusedRow(pathTooLong(found.path), found.path));
    else {
      candidates.push({ ...found, sha256: source.sha256 });
      const id = idOf(source.text);
      if (id !== null) byId.set(id, [...(byId.get(id) ?? []), found]);
    }
  }
  const twins = new Map(sharedIds(byId).concat(sharedPaths(candidates)));
  return {
    candidates: candidates.filter(({ file }) => !twins.has(file)),
    refused: [...refused, ...twins.values()],
  };
}

const pathLimit = 500;

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
function sharedIds(byId: ReadonlyMap<string, readonly FoundFile[]>): [string, PlanRow][] {
  return [...byId].flatMap(([id, files]) =>
    files.length < 2
      ? []
      : files.map((found): [string, PlanRow] => {
          const others = files.filter((other) => other !== found).map(({ path }) => path);
          const problem = {
            code: "same_id",
            message: `${found.path}: ${others.join(", ")} ${others.length === 1 ? "has" : "have"} the same id ${id}`,
            hint: "delete the id line in all but one",
          };
          return [found.file, refusedRow(problem, found.path)];
        }),
  );
}

/** Two folders outside one workspace may hold the same relative path, which is what the server knows a document by. */
function sharedPaths(candidates: readonly Candidate[]): [string, PlanRow][] {
  const first = new Map<string, Candidate>();
  return candidates.flatMap((candidate): [string, PlanRow][] => {
    const earlier = first.get(candidate.path);
    if (earlier === undefined) {
      first.set(candidate.path, candidate);
      return [];
    }
    const problem = {
      code: "same_path",
      message: `${candidate.file}: ${earlier.file} is imported under the same path ${candidate.path}`,
      hint: "import the two folders one after the other, from the folder that holds them",
    };
    return [[candidate.file, refusedRow(problem, candidate.path)]];
  });
}

function pathTooLong(path: string): Problem {
  return { code: "path_too_long", message: `${path}: the path is longer than ${pathLimit} characters`, path };
}

/** A problem as a row of the plan: the path stands in its own column. */
export function refusedRow({ code, message, hint }: Problem, path: string): PlanRow {
  const reason = message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
  return { path, outcome: "refused", code, reason, hint, notes: [] };
}
