import { useState } from "react";
import { printedName } from "#core/users/printed-name.ts";
import { useWrite } from "../api.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Select } from "../ui/Select.tsx";
import { useToast } from "../ui/Toast.tsx";
import { countedApprovers, type ListedApproval } from "./approval-words.ts";
import { offeredApproversByGroup } from "./approver-groups.ts";
import { approverGroupTexts, texts } from "./texts.ts";
import { useOfferedApprovers } from "./use-offered-approvers.ts";
import { decisionFailureOf, type DecisionFailure } from "./use-decision.ts";

interface ReplaceApproverDialogProps {
  approval: ListedApproval;
  approver: ListedApproval["approvers"][number];
  onClose(): void;
}

/** Lets the user choose another person instead of an approver who has not decided. */
export function ReplaceApproverDialog({ approval, approver, onClose }: ReplaceApproverDialogProps) {
  const toast = useToast();
  const people = useOfferedApprovers(approval.sopId, approval.version);
  const replace = useWrite("approvals", "replaceApprover");
  const [chosen, setChosen] = useState("");
  const [failure, setFailure] = useState<DecisionFailure | null>(null);
  const current = new Set(countedApprovers(approval).map(({ userId }) => userId));
  const free = (people.data?.people ?? []).filter(({ id, eligible }) => eligible && !current.has(id));
  const options = offeredApproversByGroup(free).flatMap(({ group, members }) =>
    members.map((person) => ({ value: person.id, label: printedName(person), group: approverGroupTexts[group] })),
  );
  const replaceApprover = async (): Promise<void> => {
    try {
      await replace.mutateAsync({ params: { id: approval.id }, body: { replace: approver.userId, with: chosen } });
      toast({ title: texts.replaced });
      onClose();
    } catch (error) {
      setFailure(decisionFailureOf(error, texts.replaceFailed));
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={texts.replaceTitle}
      description={texts.hasntDecided({ user: printedName(approver.user) })}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            variant="primary"
            disabled={chosen === ""}
            busy={replace.isPending}
            onClick={() => void replaceApprover()}
          >
            {texts.replace}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {failure && (
          <Alert tone="destructive" live title={failure.title}>
            {failure.reason}
          </Alert>
        )}
        <Field
          label={texts.replaceWith}
          error={people.isError ? texts.candidatesFailed : undefined}
          hint={people.data && options.length === 0 ? texts.noOneLeft : undefined}
        >
          {(control) => (
            <Select
              {...control}
              value={chosen}
              onChange={(event) => setChosen(event.target.value)}
              options={options}
              placeholder={people.isPending ? texts.candidatesLoading : texts.replaceChoose}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
