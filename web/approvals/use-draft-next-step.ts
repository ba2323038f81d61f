/** The next step for a draft, which becomes the page's primary button. */
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../api.ts";
import { useMay } from "../session.tsx";
import { useDocumentControls } from "../sops/view/use-document-control.ts";

/**
 * Returns the next step for a draft. If enough people can approve, submitting comes first, even for users who can
 * publish without approval.
 * @returns null if there is no next step, or while it isn't known
 */
export function useDraftNextStep(sop: Sop): "submit" | "publish" | null {
  const may = useMay();
  const isDraft = sop.status === "draft";
  const maySubmit = isDraft && may("sop.request_approval", sop);
  const isFlexible = useDocumentControls()(sop.categoryId) === "flexible";
  const mayPublish = isDraft && isFlexible && may("sop.publish", sop);
  const choice = useRead("approvals", "candidates", { params: { id: sop.id } }, { enabled: maySubmit && mayPublish });
  if (!mayPublish) return maySubmit ? "submit" : null;
  // On a server without approvals, reading the possible approvers fails with 501.
  if (!maySubmit || choice.isError) return "publish";
  if (!choice.data) return null;
  const { people, approversNeeded } = choice.data;
  return people.filter(({ eligible }) => eligible).length >= approversNeeded ? "submit" : "publish";
}
