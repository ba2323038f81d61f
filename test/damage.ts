/** Damages stored data like a failing disk or an operator's mistake. Call only while no server has the data open. */
import { readFileSync, writeFileSync } from "node:fs";

/**
 * Writes a byte that is invalid in JSON into a stored document. SQL can't do it, because the indexes on the document's
 * fields refuse the byte.
 * @param at the offset in the document's text
 * @param first the first letters of the document, if several collections have this id
 */
export function damageDocument(file: string, id: string, at = 0, first = `{"_id":"${id}"`): void {
  const bytes = readFileSync(file);
  const begin = Buffer.from(first);
  let found = 0;
  // each occurrence is damaged, because pages keep remains of earlier forms
  for (let place = bytes.indexOf(begin); place >= 0; place = bytes.indexOf(begin, place + 1)) {
    bytes[place + at] = 1;
    found += 1;
  }
  if (found === 0) throw new Error(`${file} has no document ${id}`);
  writeFileSync(file, bytes);
}
