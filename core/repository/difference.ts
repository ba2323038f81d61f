/** Errors that end the proof of a clone or a PDF early. */

/** The clone contains something else than it states. The message names the place. */
export class Difference extends Error {}

/** The clone contains nothing that can be proved: for example, the clone of a user who can't read everything. */
export class CannotProve extends Error {}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param name an object's id, or the name of a file */
export function decodeUtf8Strictly(name: string, content: Uint8Array): string {
  try {
    return utf8.decode(content);
  } catch {
    throw new Difference(`${name} isn't UTF-8`);
  }
}
