/** What this person does next with a draft: the one filled button on its page. */
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../api.ts";
import { useMay } from "../session.tsx";
import { useDocumentControls } from "../sops/view/use-document-control.ts";

/**
 * Approval comes first where enough people can approve, also for those who may publish without it.
 * @returns null: nothing, or not known yet
 */
export function useNextStep(sop: Sop): "submit" | "publish" | null {
  const may = useMay();
  const isDraft = sop.status === "draft";
  const maySubmit = isDraft && may("sop.request_approval", sop);
  const isFlexible = useDocumentControls()(sop.categoryId) === "flexible";
  const mayPublish = isDraft && isFlexible && may("sop.publish", sop);
  const choice = useRead("approvals", "candidates", { params: { id: sop.id } }, { enabled: maySubmit && mayPublish });
  if (!mayPublish) return maySubmit ? "submit" : null;
  // a server without approval (501) answers none
  if (!maySubmit || choice.isError) return "publish";
  if (!choice.data) return null;
  const { people, approversNeeded } = choice.data;
  return people.filter(({ eligible }) => eligible).length >= approversNeeded ? "submit" : "publish";
}
