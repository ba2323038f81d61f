/**
 * Finds the SOPs that have a file in an import. Another document without an id that resembles such an SOP isn't its
 * moved file, so the document can become a new SOP.
 */
import type { ImportResult } from "#core/sops/import-schema.ts";
import type { ImportCandidate } from "./examine.ts";

/**
 * Maps the ids of SOPs to the paths of their documents.
 * @param idOf the id that the server answered for a document, by its path and hash alone
 */
export function documentPathsBySopId(
  candidates: readonly ImportCandidate[],
  idOf: (path: string) => string | undefined,
): ReadonlyMap<string, string> {
  return new Map(
    candidates.flatMap(({ path, id = idOf(path) }): [string, string][] => (id === undefined ? [] : [[id, path]])),
  );
}

/** Returns the paths of documents that resemble an SOP although another document of this import is its file. */
export function pathsOfFalseMoves(
  results: readonly ImportResult[],
  pathOf: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const beside = results.filter(({ path, id = "", resembling }) => {
    const own = pathOf.get(id);
    return resembling !== undefined && own !== undefined && own !== path;
  });
  return new Set(beside.map(({ path }) => path));
}
