import { useQueryClient } from "@tanstack/react-query";
import { mayRequestAcknowledgements } from "#core/acknowledgements/rules.ts";
import type { Sop } from "#core/sops/schema.ts";
import { errorMessageOf, refreshQueries, useRead, useWrite } from "../api.ts";
import { actorOfUser, useMe } from "../session.tsx";
import { useToast } from "../ui/Toast.tsx";
import { texts } from "./texts.ts";

/**
 * Reads whether the user has confirmed reading or still has to. Users who can ask others (`mayAsk`) also get the
 * progress of all readers.
 */
export function useAcknowledgements(sop: Sop) {
  const mayAsk = mayRequestAcknowledgements(actorOfUser(useMe()), { ...sop, deletedAt: null });
  const enabled = sop.published !== null || mayAsk;
  // The SOP stays readable if this request fails.
  const { data } = useRead("acknowledgements", "get", { params: { id: sop.id } }, { enabled });
  return { mayAsk, data };
}

/**
 * Returns a function that confirms reading and shows the result as a toast. `onConfirmed` is called only after success.
 */
export function useConfirmReading(id: string, onConfirmed: () => void) {
  const toast = useToast();
  const queryClient = useQueryClient();
  const confirm = useWrite("acknowledgements", "confirm");
  return {
    busy: confirm.isPending,
    async send(body: { version: number; contentHash: string }): Promise<void> {
      try {
        await confirm.mutateAsync({ params: { id }, body });
        onConfirmed();
        toast({ title: texts.thanks });
      } catch (error) {
        toast({ title: texts.error, description: errorMessageOf(error, texts.failed), variant: "destructive" });
        // The request can fail because another version was published in the meantime.
        void refreshQueries(queryClient, ["sops", "acknowledgements"]);
      }
    },
  };
}
