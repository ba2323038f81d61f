import { useState } from "react";
import { limits } from "#core/limits.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useRead, useWrite } from "../api.ts";
import { countedApprovers, type Approval } from "./approval-words.ts";
import type { Candidate } from "./approver-groups.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import { useToast } from "../ui/Toast.tsx";
import { ApproverPicker } from "./ApproverPicker.tsx";
import { SubmittedChecks } from "./SubmittedChecks.tsx";
import { texts } from "./texts.ts";
import { failureOf, type Failure } from "./use-decision.ts";

interface RequestDialogProps {
  sop: Sop;
  onRequested?: (() => void) | undefined;
  onClose(): void;
}

/** Note and approvers; what is submitted is the version that was looked at (seed §4, §5). */
export function RequestDialog({ sop, onRequested, onClose }: RequestDialogProps) {
  const toast = useToast();
  const params = { id: sop.id };
  const people = useRead("approvals", "candidates", { params });
  const requests = useRead("approvals", "list", { query: { sopId: sop.id } });
  const versions = useRead("sops", "versions", { params });
  const request = useWrite("sops", "requestApproval");
  const [typed, setTyped] = useState<string | null>(null);
  const [picked, setPicked] = useState<readonly string[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isPending = requests.data?.some(({ status }) => status === "pending") ?? false;
  const lastTime = askedLastTime(requests.data, people.data);
  const chosen = picked ?? lastTime;
  const note = typed ?? versions.data?.find(({ version }) => version === sop.version)?.changeNote ?? "";

  const submit = async (): Promise<void> => {
    const requestNote = note.trim();
    try {
      await request.mutateAsync({
        params,
        body: { ...(requestNote && { requestNote }), approverIds: [...chosen] },
        ifMatch: sop.version,
      });
      toast({ title: texts.requested, description: texts.requestedText });
      onClose();
      onRequested?.();
    } catch (error) {
      toast({ title: texts.error, description: texts.requestFailed, variant: "destructive" });
      setFailure(failureOf(error, texts.requestFailed));
    }
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={texts.submit}
      description={`${sop.title}, version ${sop.version}`}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            variant="primary"
            disabled={isPending || chosen.length === 0}
            busy={request.isPending}
            onClick={() => void submit()}
          >
            {texts.submit}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {failure && (
          <Alert tone="destructive" live>
            {failure.reason}
          </Alert>
        )}
        {isPending && !request.isPending && (
          <Alert tone="warning" live>
            {texts.alreadyPending}
          </Alert>
        )}
        <ApproverPicker
          people={people.data}
          failed={people.isError ? () => void people.refetch() : null}
          chosen={chosen}
          asLastTime={picked === null && lastTime.length > 0}
          onChoose={setPicked}
        />
        <Field label={texts.note} optional hint={texts.noteHint}>
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              maxLength={limits.noteCharacters}
              value={note}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        <SubmittedChecks sop={sop} onLeave={onClose} />
      </div>
    </Dialog>
  );
}

/** Whom the newest request counted on, as far as they can decide about this version. */
function askedLastTime(
  requests: readonly Approval[] | undefined,
  people: readonly Candidate[] | undefined,
): readonly string[] {
  const [newest] = requests ?? [];
  if (!newest) return [];
  const able = new Set((people ?? []).flatMap(({ id, eligible }) => (eligible ? [id] : [])));
  return countedApprovers(newest).flatMap(({ userId }) => (able.has(userId) ? [userId] : []));
}
