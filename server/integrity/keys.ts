/** Every encrypted value against the keyring. */
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import type { Keyring } from "../keys/keyring.ts";
import { placeOf } from "../keys/stored-key.ts";
import type { CheckShare } from "./report.ts";

const atOnce = 200;

export function checkKeys(db: Pick<Database<Collections>, "collection">, keys: Pick<Keyring, "open">): CheckShare {
  return async (after) => {
    const users = await db
      .collection("users")
      .find({ _id: { $gt: after }, openaiApiKey: { $gt: "" } }, { sort: { _id: 1 }, limit: atOnce });
    const findings = users.flatMap(({ _id, openaiApiKey }) => {
      const opened = keys.open(openaiApiKey ?? "", placeOf(_id));
      if (opened.ok) return [];
      const why = opened.reason === "damaged" ? "it is damaged" : `key ${opened.kid ?? "?"} is not in the keyring`;
      return [`AI key of user ${_id}: ${why}`];
    });
    return { checked: users.length, next: users.length < atOnce ? null : (users.at(-1)?._id ?? null), findings };
  };
}
