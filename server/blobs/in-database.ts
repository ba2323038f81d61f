/** Stores bytes in the asset's document, so that they are written and removed together with it. */
import type { Collections } from "../database/documents.ts";
import type { Store } from "../database/port.ts";
import type { Blobs } from "./port.ts";

export function createDatabaseBlobs(store: Store<Collections>): Blobs {
  return {
    kind: "database",
    put: async (_, bytes) => ({ bytes }),
    async get(keys) {
      const _id = { $in: keys.map((key) => key._id) };
      const found = await store.collection("assets").find({ _id }, { projection: { companyId: 1, bytes: 1 } });
      const byId = new Map(found.map((one) => [one._id, one]));
      return keys.map((key) => {
        const one = byId.get(key._id);
        return one?.companyId === key.companyId ? (one.bytes ?? null) : null;
      });
    },
    remove: async () => undefined,
    ping: async () => undefined,
  };
}
