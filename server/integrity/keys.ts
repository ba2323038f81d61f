/**
 * Creates the check that the keyring can decrypt every encrypted value. Values of keys that an operator gave up don't
 * count.
 */
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import type { Keyring } from "../keys/keyring.ts";
import { loadLostKeyIds } from "../keys/lost-keys.ts";
import { readSealedPage } from "../keys/sealed-values.ts";
import type { ShareCheck } from "./report.ts";

export function createKeysCheck(
  db: Pick<Database<Collections>, "collection">,
  keys: Pick<Keyring, "open">,
): ShareCheck {
  return async (after) => {
    const { values, next } = await readSealedPage(db, after);
    const lost = await loadLostKeyIds(db);
    const findings = values.flatMap(({ sealed, place, name }) => {
      const opened = keys.open(sealed, place);
      if (opened.ok || (opened.reason !== "damaged" && lost.has(opened.kid ?? ""))) return [];
      const why = opened.reason === "damaged" ? "it is damaged" : `key ${opened.kid ?? "?"} is not in the keyring`;
      return [`${name}: ${why}`];
    });
    return { checked: values.length, next, findings };
  };
}
