/** Says what saving an SOP with a status does, by the permissions of the signed-in user. */
import type { SaveOutcome } from "#core/sops/editing.ts";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import { useMay, useMe } from "../../session.tsx";
import { outcomeOfSaving } from "./edit-status-hint.ts";
import { useDocumentControls } from "../view/use-document-control.ts";

/** @returns `hintOf` and `permissionsOf`; both accept null for a new SOP */
export function useStatusHint() {
  const may = useMay();
  const { id, companyId } = useMe();
  const controlOf = useDocumentControls();
  const own = {
    companyId,
    authorId: id,
    ownerId: id,
    teamId: null,
    status: "draft",
    restricted: false,
    grants: [],
    approvers: [],
    published: null,
    version: 0,
  } as const;
  const permissionsOf = (sop: Sop | null) => {
    const facts = sop ?? own;
    return {
      publish: may("sop.publish", facts),
      archive: may("sop.archive", facts),
      ask: may("sop.request_approval", facts),
    };
  };
  const hintOf = (
    sop: Sop | null,
    { status, categoryId, effectiveAt }: Pick<SopForm, "status" | "categoryId" | "effectiveAt">,
  ): SaveOutcome => outcomeOfSaving(sop, status, permissionsOf(sop), controlOf(categoryId), effectiveAt);
  return { hintOf, permissionsOf };
}
