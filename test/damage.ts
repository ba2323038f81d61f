/** Damages stored data, as a failing disk or a slip of an operator does. Only while no server has it open. */
import { readFileSync, writeFileSync } from "node:fs";

/**
 * Puts a byte that no JSON has into a stored document. SQL can't: the indexes on its fields refuse it.
 * @param at how far into the document's text, from its beginning
 * @param first the first letters of the document, where several collections have this id
 */
export function damageDocument(file: string, id: string, at = 0, first = `{"_id":"${id}"`): void {
  const bytes = readFileSync(file);
  const begin = Buffer.from(first);
  let found = 0;
  // pages keep remains of earlier forms
  for (let place = bytes.indexOf(begin); place >= 0; place = bytes.indexOf(begin, place + 1)) {
    bytes[place + at] = 1;
    found += 1;
  }
  if (found === 0) throw new Error(`${file} has no document ${id}`);
  writeFileSync(file, bytes);
}
