/** The primary button: the action that brings the text on screen to readers. */
import { useWatch } from "react-hook-form";
import type { Sop } from "#core/sops/schema.ts";
import { approvalsToDecideQuery } from "../../approvals/use-approvals-to-decide.ts";
import { useRead, type Output } from "../../api.ts";
import type { SopEditing } from "./use-sop-editing.ts";
import { useStatusHint } from "./use-status-hint.ts";

export type NextAction = {
  what: "publish" | "submit";
  /** True if there are changes that readers don't have. */
  isDue: boolean;
  run(): void;
} | null;

export interface NextActions {
  main: NextAction;
  /** Submitting, if publishing is possible too. */
  submit: NextAction;
  /** True if the primary button names both actions. This doesn't change while data is loading. */
  isEither: boolean;
  /** The request that waits for decisions. */
  pending: Output<"approvals", "list">[number] | undefined;
}

export function useNextAction(editing: SopEditing, latest: Sop | null): NextActions {
  const { form, state } = editing;
  const { base, isUnsaved } = state;
  const { hintOf, permissionsOf } = useStatusHint();
  const values = useWatch({
    control: form.control,
    compute: ({ categoryId, effectiveAt }) => ({ categoryId, effectiveAt }),
  });
  const sop = base && latest?.version === base.version ? latest : base;
  // For a new SOP, the read only shows whether the server has approvals.
  const requests = useRead("approvals", "list", { query: sop ? { sopId: sop.id } : approvalsToDecideQuery });
  const pending = sop ? requests.data?.find(({ status }) => status === "pending") : undefined;
  const isDue = isUnsaved || sop?.status === "draft";
  const stored = isUnsaved ? null : sop;
  const isOpen = !sop || sop.status === "draft" || sop.status === "published";
  const mayPublish = hintOf(sop, { ...values, status: "published" }).saves === "published";
  // Submitting isn't offered on a server without approvals (501), or before that is known.
  const mayAsk = !requests.isError && !pending && isOpen && permissionsOf(sop).ask;
  const maySubmit = mayAsk && Boolean(requests.data);
  const submit: NextAction = maySubmit ? { what: "submit", isDue, run: () => editing.submit(stored) } : null;
  const publish: NextAction = mayPublish ? { what: "publish", isDue, run: editing.publish } : null;
  return { main: publish ?? submit, submit: publish && submit, isEither: publish !== null && mayAsk, pending };
}
