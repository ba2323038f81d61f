/** How a proof of a clone or a PDF ends early. */

/** The clone holds something else than it states. The message names the place. */
export class Difference extends Error {}

/** Why a clone has nothing that can be proved: one of a user who can't read everything, for example. */
export class CannotProve extends Error {}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param name an object's id, or the name of a file */
export function decoded(name: string, content: Uint8Array): string {
  try {
    return utf8.decode(content);
  } catch {
    throw new Difference(`${name} isn't UTF-8`);
  }
}
