/** Changes several SOPs with one request per SOP, a few at a time. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ListedRow } from "#core/sops/list-schema.ts";
import { errorMessageOf, refreshQueries, useClient, type AppClient } from "../../api.ts";
import { bulkTexts as texts } from "./bulk-texts.ts";

const itemsAtOnce = 4;

/**
 * Runs `work` for all items, at most four at the same time. `work` has to handle its own errors, because an error ends
 * the call.
 */
export async function runForEachItem<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = [...items];
  const workOffQueue = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: itemsAtOnce }, workOffQueue));
}

export interface BulkFailure {
  sop: ListedRow;
  message: string;
}

export function useBulk() {
  const client = useClient();
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  return {
    busy,
    /** @returns the failures, in the order of the list */
    async run(
      sops: readonly ListedRow[],
      change: (client: AppClient, sop: ListedRow) => Promise<unknown>,
    ): Promise<BulkFailure[]> {
      setBusy(true);
      const messages = new Map<string, string>();
      await runForEachItem(sops, async (sop) => {
        try {
          await change(client, sop);
        } catch (error) {
          messages.set(sop.id, errorMessageOf(error, texts.tryAgain));
        }
      });
      await refreshQueries(queryClient, ["sops", "categories", "stats"]);
      setBusy(false);
      return sops.flatMap((sop) => {
        const message = messages.get(sop.id);
        return message === undefined ? [] : [{ sop, message }];
      });
    },
  };
}
