import { useState } from "react";
import { ApiError } from "#core/api/client.ts";
import { limits } from "#core/limits.ts";
import type { Sop } from "#core/sops/schema.ts";
import { shownStatus } from "#core/sops/statuses.ts";
import { useRead, useWrite } from "../api.ts";
import type { CheckFinding } from "../editor/findings.ts";
import { ReaderChanges } from "../sops/diff/ReaderChanges.tsx";
import { BlockingIssues, type RefusedSave } from "../sops/edit/BlockingIssues.tsx";
import { CategoryChoice } from "../sops/edit/CategoryChoice.tsx";
import { ChangeClassChoice, EffectiveDateChoice, type ChangeClass } from "../sops/view/PublicationFields.tsx";
import { countedApprovers, type ListedApproval } from "./approval-words.ts";
import type { OfferedApprover } from "./approver-groups.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import { useToast } from "../ui/Toast.tsx";
import { useInvite } from "../users/use-invite.tsx";
import { ApproverPicker } from "./ApproverPicker.tsx";
import { NewerVersionNotice } from "./NewerVersionNotice.tsx";
import { newerVersionTexts, texts } from "./texts.ts";
import { useOfferedApprovers } from "./use-offered-approvers.ts";
import { decisionFailureOf } from "./use-decision.ts";
import { statusNames } from "../ui/StatusBadge.tsx";

interface SubmitForApprovalDialogProps {
  /** The version that the user saw. */
  sop: Sop;
  /** True to leave out the field for the category, because the screen has one. */
  isCategoryChosenElsewhere?: boolean;
  onRequested?: (() => void) | undefined;
  /** Scrolls to an issue in the text; absent on screens without an editor. */
  onIssue?: ((issue: CheckFinding, text: string) => void) | undefined;
  onClose(): void;
}

/** Asks for a note and approvers. Submits the version that was on screen, or a newer one if the user chooses it. */
export function SubmitForApprovalDialog({
  sop: opened,
  isCategoryChosenElsewhere = false,
  onRequested,
  onIssue,
  onClose,
}: SubmitForApprovalDialogProps) {
  const toast = useToast();
  const params = { id: opened.id };
  const [sop, setSop] = useState(opened);
  const latest = useRead("sops", "get", { params });
  const now = latest.data && latest.data.version > sop.version ? latest.data : sop;
  const choice = useOfferedApprovers(sop.id, now.version);
  const people = choice.data?.people;
  const requests = useRead("approvals", "list", { query: { sopId: sop.id } });
  const versions = useRead("sops", "versions", { params });
  const request = useWrite("sops", "requestApproval");
  const [typed, setTyped] = useState<string | null>(null);
  const [picked, setPicked] = useState<readonly string[] | null>(null);
  const [changeClass, setChangeClass] = useState<ChangeClass>("major");
  const [effective, setEffective] = useState(opened.effectiveAt ?? "");
  const wasPublished = now.published !== null || now.control.lastInForce !== null;
  const [refusal, setRefusal] = useState<RefusedSave | null>(null);
  const [tries, setTries] = useState(0);
  // An invited person may have joined, so the list of approvers loads again.
  const invite = useInvite("reviewer", () => void choice.refetch());
  const isAsked = request.isPending || request.isSuccess;
  const isPending = !isAsked && (requests.data?.some(({ status }) => status === "pending") ?? false);
  // Another user has already submitted this version.
  const ended = !isAsked && latest.data?.version === sop.version && latest.data.status !== opened.status && latest.data;
  const lastTime = lastApproverIds(requests.data, people);
  const chosen = eligibleIdsOf(picked, people) ?? (lastTime.length > 0 ? lastTime : onlyEligibleId(people));
  const note = typed ?? versions.data?.find(({ version }) => version === sop.version)?.changeNote ?? "";
  const cannot = isPending || Boolean(ended) || chosen.length < (choice.data?.approversNeeded ?? 1);

  const submitVersion = async (what: Sop): Promise<void> => {
    setSop(what);
    setTyped(note);
    setRefusal(null);
    setTries(0);
    const requestNote = note.trim();
    try {
      await request.mutateAsync({
        params,
        body: {
          ...(requestNote && { requestNote }),
          ...(wasPublished && { changeClass }),
          ...(effective !== (opened.effectiveAt ?? "") && { effectiveAt: effective || null }),
          approverIds: [...chosen],
        },
        ifMatch: what.version,
      });
      toast({ title: texts.requested, description: texts.requestedText });
      onClose();
      onRequested?.();
    } catch (error) {
      const isStale = error instanceof ApiError && error.code === "stale";
      // Another try would fail too, so the dialog shows the newer version instead.
      if (isStale && ((await latest.refetch()).data?.version ?? 0) > what.version) return setTries(tries + 1);
      toast({ title: texts.error, description: texts.requestFailed, variant: "destructive" });
      setRefusal({ error, text: decisionFailureOf(error, texts.requestFailed).reason });
    }
  };

  return (
    <>
      <Dialog
        open
        onOpenChange={(open) => !open && onClose()}
        title={texts.submit}
        description={texts.titleAndVersion({ title: sop.title, version: sop.version })}
        footer={
          <>
            <EffectiveDateChoice value={effective} onChange={setEffective} />
            <Button onClick={onClose}>{texts.cancel}</Button>
            <Button
              variant={now === sop ? "primary" : "outline"}
              disabled={cannot}
              busy={request.isPending}
              onClick={() => (now === sop ? void submitVersion(sop) : setTries(tries + 1))}
            >
              {texts.submit}
            </Button>
          </>
        }
      >
        <div className="grid gap-4">
          <BlockingIssues sop={now} refusal={refusal} onLeave={onClose} onShow={onIssue} />
          {isPending ? (
            <Alert tone="warning" live>
              {texts.alreadyPending}
            </Alert>
          ) : (
            ended && (
              <Alert tone="warning" live>
                {newerVersionTexts.nothing({
                  version: ended.version,
                  status: statusNames[shownStatus(ended)].toLowerCase(),
                })}
              </Alert>
            )
          )}
          {now !== sop && (
            <NewerVersionNotice
              version={sop.version}
              newer={now}
              tries={tries}
              busy={request.isPending}
              onSubmit={cannot ? undefined : () => void submitVersion(now)}
            />
          )}
          <ApproverPicker
            choice={choice.data}
            failed={choice.isError ? () => void choice.refetch() : null}
            chosen={chosen}
            asLastTime={picked === null && lastTime.length > 0}
            onChoose={setPicked}
            invite={invite.button}
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
          {!isCategoryChosenElsewhere && <CategoryChoice sop={now} onMoved={() => void choice.refetch()} />}
          {wasPublished && <ChangeClassChoice value={changeClass} onChange={setChangeClass} />}
          {/* The changes come last, because long ones would push the approvers out of sight. */}
          <ReaderChanges key={now.version} sop={now} />
        </div>
      </Dialog>
      {invite.dialog}
    </>
  );
}

/** Returns the ids of the newest request's approvers who can also approve this version. */
function lastApproverIds(
  requests: readonly ListedApproval[] | undefined,
  people: readonly OfferedApprover[] | undefined,
): readonly string[] {
  const [newest] = requests ?? [];
  const last = newest ? countedApprovers(newest).map(({ userId }) => userId) : [];
  return eligibleIdsOf(last, people ?? []) ?? [];
}

/** Returns a list with the id of the only person who can approve; an empty list if several or none can. */
function onlyEligibleId(people: readonly OfferedApprover[] = []): readonly string[] {
  const able = people.flatMap(({ id, eligible }) => (eligible ? [id] : []));
  return able.length === 1 ? able : [];
}

/** Returns the ids of the people who can approve; all given ids while the people load, and null if no ids are given. */
function eligibleIdsOf(
  ids: readonly string[] | null,
  people: readonly OfferedApprover[] | undefined,
): readonly string[] | null {
  if (!ids || !people) return ids;
  const able = new Set(people.flatMap(({ id, eligible }) => (eligible ? [id] : [])));
  return ids.filter((id) => able.has(id));
}
