/**
 * The SOPs that have files of their own in an import. A document without keys that resembles one of them is no moved
 * file, so it can be a new SOP.
 */
import type { ImportResult } from "#core/sops/import-schema.ts";
import type { ImportCandidate } from "./examine.ts";

/** @param idOf the id that the server answered for a document, by its path and hash alone */
export function pathsOfSops(
  candidates: readonly ImportCandidate[],
  idOf: (path: string) => string | undefined,
): ReadonlyMap<string, string> {
  return new Map(
    candidates.flatMap(({ path, id = idOf(path) }): [string, string][] => (id === undefined ? [] : [[id, path]])),
  );
}

/** The paths of documents that resemble an SOP whose own file is another one of this import. */
export function pathsBesideOwnFiles(
  results: readonly ImportResult[],
  pathOf: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const beside = results.filter(({ path, id = "", resembling }) => {
    const own = pathOf.get(id);
    return resembling !== undefined && own !== undefined && own !== path;
  });
  return new Set(beside.map(({ path }) => path));
}
