import type { DocumentLink } from "./rewrite-links.ts";

/**
 * The text with its links to other documents in place. Needs no parser.
 * @param addressOf the present address of a document; undefined if it was not imported: then the link stays as written
 */
export function linkTo(
  text: string,
  links: readonly DocumentLink[],
  addressOf: (path: string) => string | undefined,
): string {
  let out = "";
  let done = 0;
  for (const { start, end, path, fragment } of links) {
    const address = addressOf(path);
    if (address === undefined) continue;
    out += text.slice(done, start) + address + fragment;
    done = end;
  }
  return out + text.slice(done);
}

/** An SOP's address on the server it is on. */
export function sopAddress(id: string): string {
  return `/sop/${id}`;
}
