/** Links between documents of one push, apart from the converter: that one takes long to load. */
import { linkTo, sopAddress } from "#core/import/link-to.ts";
import type { Outgoing } from "./outgoing.ts";

/** Paths of documents that others of the push link to. */
export function linkedPaths(outgoing: readonly Outgoing[]): Set<string> {
  return new Set(outgoing.flatMap(({ prepared }) => prepared.links.map(({ path }) => path)));
}

/** @param idOf the id of a document's SOP, present or planned; a link to a document without one stays as written */
export function textOf({ prepared }: Outgoing, idOf: (path: string) => string | undefined): string {
  return linkTo(prepared.text, prepared.links, (path) => {
    const id = idOf(path);
    return id === undefined ? undefined : sopAddress(id);
  });
}
