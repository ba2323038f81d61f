/**
 * Actions on an SOP other than editing. `may` says which actions the user can do, by the same rules as on the server.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { limits } from "#core/limits.ts";
import { mayRecordReview } from "#core/periodic-review/rules.ts";
import type { Sop } from "#core/sops/schema.ts";
import { queryKeyOf, errorMessageOf, useWrite } from "../../api.ts";
import { actorOfUser, useMay, useMe } from "../../session.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { useDocumentControls } from "./use-document-control.ts";
import { texts } from "./view-texts.ts";

export type StatusMove = "unpublish" | "archive" | "unarchive";

const done: Record<StatusMove, string> = {
  unpublish: texts.unpublished,
  archive: texts.archived,
  unarchive: texts.unarchived,
};

export function useSopActions(sop: Sop) {
  const may = useMay();
  const me = useMe();
  const documentControl = useDocumentControls()(sop.categoryId);
  const toast = useToast();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const unpublish = useWrite("sops", "unpublish");
  const archive = useWrite("sops", "archive");
  const unarchive = useWrite("sops", "unarchive");
  const remove = useWrite("sops", "remove");
  const undelete = useWrite("sops", "undelete");
  const create = useWrite("sops", "create");
  const moves = { unpublish, archive, unarchive };
  const params = { id: sop.id };

  const showRefusal = (error: unknown): void => {
    toast({ title: texts.error, description: errorMessageOf(error, texts.actionFailed), variant: "destructive" });
  };
  const cacheSop = (next: Sop): void => {
    queryClient.setQueryData(queryKeyOf("sops", "get", { params }), next);
  };

  const archiveAgain = async (): Promise<void> => {
    try {
      cacheSop(await archive.mutateAsync({ params, ifMatch: sop.version }));
      toast({ title: texts.archived });
    } catch (error) {
      showRefusal(error);
    }
  };

  const mayPublish = may("sop.publish", sop) && documentControl === "flexible";
  return {
    may: {
      edit: may("sop.edit", sop),
      review: sop.published !== null && mayRecordReview(actorOfUser(me), { ...sop, deletedAt: null }),
      publish: mayPublish && sop.status === "draft",
      unpublish: may("sop.publish", sop) && sop.published !== null && sop.status !== "archived",
      archive: may("sop.archive", sop) && sop.status !== "archived",
      unarchive: may("sop.archive", sop) && sop.status === "archived",
      remove: may("sop.delete", sop),
      duplicate: may("sop.create"),
      history: may("sop.read_head", sop),
      share: may("sop.share", sop),
    },
    busy: Object.values(moves).some(({ isPending }) => isPending) || remove.isPending,
    /** @returns whether the action succeeded; a refusal has already been shown */
    async changeStatus(name: StatusMove): Promise<boolean> {
      try {
        cacheSop(await moves[name].mutateAsync({ params, ifMatch: sop.version }));
        const undo = { label: texts.undo, onClick: () => void archiveAgain() };
        toast({ title: done[name], ...(name === "unarchive" && { action: undo }) });
        return true;
      } catch (error) {
        showRefusal(error);
        return false;
      }
    },
    async remove(): Promise<boolean> {
      try {
        await remove.mutateAsync({ params });
      } catch (error) {
        showRefusal(error);
        return false;
      }
      // The page is closed when the user presses Undo, so its callbacks no longer run and the promise is awaited.
      const restoreDeleted = async () => {
        try {
          cacheSop(await undelete.mutateAsync({ params }));
          toast({ title: texts.undone });
          void navigate(`/sop/${sop.id}`);
        } catch (error) {
          showRefusal(error);
        }
      };
      toast({
        title: texts.removed,
        description: texts.removedText,
        action: { label: texts.undo, onClick: () => void restoreDeleted() },
      });
      void navigate("/sops");
      return true;
    },
    /** Creates a draft with the same text and opens it for editing. */
    async duplicate(): Promise<void> {
      const { title, description, markdown, categoryId, tags, lang } = sop;
      try {
        const copy = await create.mutateAsync({
          body: {
            title: texts.copyOf({ title }).slice(0, limits.titleCharacters),
            description,
            markdown,
            categoryId,
            tags,
            copyOf: sop.id,
            ...(lang !== null && { lang }),
          },
        });
        toast({ title: texts.duplicated });
        void navigate(`/sop/${copy.id}/edit`);
      } catch (error) {
        showRefusal(error);
      }
    },
    /**
     * Exports a file. A refusal says what to do, such as adding a missing font. Warnings name content that the file
     * shows differently.
     */
    async exportAs(format: keyof typeof texts.exports): Promise<void> {
      try {
        const { downloadFile } = await import("./download-file.ts");
        const warnings = await downloadFile(`/api/sops/${sop.id}/export?format=${format}`);
        if (warnings.length > 0)
          toast({ title: texts.exportDiffers, description: warnings.join(" "), variant: "destructive" });
      } catch (error) {
        showRefusal(error);
      }
    },
    accept: cacheSop,
  };
}

export type SopActions = ReturnType<typeof useSopActions>;
