/** The dialog before a version is published. It shows what changes for readers. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { catalog } from "#core/language/catalog.ts";
import { limits } from "#core/limits.ts";
import type { Sop } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { queryKeyOf, errorMessageOf, useRead, useWrite } from "../../api.ts";
import type { CheckFinding } from "../../editor/findings.ts";
import { useMay, useMe } from "../../session.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { Textarea } from "../../ui/Textarea.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { boundaryText } from "../../ui/time.ts";
import { ReaderChanges } from "../diff/ReaderChanges.tsx";
import { BlockingIssues, type RefusedSave } from "../edit/BlockingIssues.tsx";
import { CategoryChoice } from "../edit/CategoryChoice.tsx";
import { daysUntilDay } from "./control-texts.ts";
import { ChangeClassChoice, EffectiveDateChoice, type ChangeClass } from "./PublicationFields.tsx";

const texts = catalog("sops.view.publish-dialog", {
  title: "Publish version {version}",
  seen: "Readers see it {from}.",
  seenBy: "{readers, plural, one {# person sees it {from}.} other {# people see it {from}.}}",
  now: "right away",
  from: "from {day} on",
  asked: "{count, plural, one { # is asked to confirm.} other { # are asked to confirm.}}",
  note: "Change note",
  noteHint: "Readers see it beside the version.",
  publish: "Publish",
  submit: "Submit for Approval",
  cancel: "Cancel",
  newer: "{name} saved version {version}",
  newerText: "Check it before you publish.",
  showNewer: "Show version {version}",
  done: "SOP published",
  scheduled: "SOP scheduled for {day}",
  failed: "Couldn't publish the SOP. Try again.",
});

interface PublishDialogProps {
  /** The version to publish: the latest one, as the user saw it. */
  sop: Sop;
  /** True if the category is chosen elsewhere on the screen. */
  isCategoryChosenElsewhere?: boolean;
  onPublished?: ((sop: Sop) => void) | undefined;
  /** Shows the place of an issue in the editor; absent outside the edit screen. */
  onIssue?: ((issue: CheckFinding, text: string) => void) | undefined;
  /** Opens the Submit dialog for this version, if the user can submit for approval instead. */
  onSubmit(sop: Sop): void;
  /** Called when the dialog closes, also after publishing. */
  onClose(): void;
}

export function PublishDialog({
  sop: opened,
  isCategoryChosenElsewhere = false,
  onPublished,
  onIssue,
  onSubmit,
  onClose,
}: PublishDialogProps) {
  const toast = useToast();
  const may = useMay();
  const { companyId } = useMe();
  const queryClient = useQueryClient();
  const [sop, setSop] = useState(opened);
  const params = { id: sop.id };
  const latest = useRead("sops", "get", { params }).data;
  const publish = useWrite("sops", "publish");
  const readers = useRead("acknowledgements", "get", { params, query: { mine: "true", readers: "true" } }).data
    ?.readers;
  const [isShown, setShown] = useState(false);
  const [note, setNote] = useState("");
  const [changeClass, setChangeClass] = useState<ChangeClass>("major");
  const [effective, setEffective] = useState(opened.effectiveAt ?? "");
  const wasPublished = sop.published !== null || sop.control.lastInForce !== null;
  const [refusal, setRefusal] = useState<RefusedSave | null>(null);
  const newer = latest && latest.version > sop.version ? latest : null;

  // A server without approvals answers 501.
  const requests = useRead("approvals", "list", { query: { sopId: sop.id } }).data;
  const maySubmit =
    newer === null && may("sop.request_approval", sop) && requests?.every(({ status }) => status !== "pending");

  const confirm = async (): Promise<void> => {
    setRefusal(null);
    const changeNote = note.trim();
    const body = {
      ...(changeNote && { changeNote }),
      ...(wasPublished && { changeClass }),
      ...(effective !== (opened.effectiveAt ?? "") && { effectiveAt: effective || null }),
    };
    try {
      const published = await publish.mutateAsync({ params, ifMatch: sop.version, body });
      queryClient.setQueryData(queryKeyOf("sops", "get", { params }), published);
      const waits = published.scheduled?.effectiveAt;
      toast({ title: waits ? texts.scheduled({ day: boundaryText(waits) }) : texts.done });
      onPublished?.(published);
      onClose();
    } catch (error) {
      setRefusal({ error, text: errorMessageOf(error, texts.failed) });
      // Another user can have changed the SOP's version or status, so the SOP is read again.
      void queryClient.invalidateQueries({ queryKey: queryKeyOf("sops", "get", { params }) });
    }
  };
  const isAhead = effective !== "" && daysUntilDay(effective) > 0;
  const from = isAhead ? texts.from({ day: boundaryText(effective) }) : texts.now;
  // True if the user who publishes the version is its only reader.
  const isForMeAlone = readers?.count === 1 && readers.asked === 0 && companyId === sop.companyId && !isAhead;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      startsInField
      title={texts.title({ version: sop.version })}
      description={
        isForMeAlone
          ? undefined
          : `${readers ? texts.seenBy({ readers: readers.count, from }) : texts.seen({ from })}${!wasPublished && readers?.asked ? texts.asked({ count: readers.asked }) : ""}`
      }
      footer={
        <>
          <EffectiveDateChoice value={effective} onChange={setEffective} />
          {maySubmit && <Button onClick={() => onSubmit(sop)}>{texts.submit}</Button>}
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            variant="primary"
            disabled={!isShown || newer !== null}
            busy={publish.isPending}
            onClick={(event) => event.detail < 2 && void confirm()}
          >
            {texts.publish}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {newer && (
          <Alert
            tone="warning"
            live
            title={texts.newer({ name: printedName(newer.control.changedBy), version: newer.version })}
            actions={
              <Button
                size="sm"
                onClick={() => {
                  setRefusal(null);
                  setSop(newer);
                }}
              >
                {texts.showNewer({ version: newer.version })}
              </Button>
            }
          >
            {texts.newerText}
          </Alert>
        )}
        <BlockingIssues sop={sop} refusal={refusal} onLeave={onClose} onShow={onIssue} />
        <ReaderChanges key={sop.version} sop={sop} onShown={setShown} />
        <Field label={texts.note} optional hint={texts.noteHint}>
          {(control) => (
            <Textarea
              {...control}
              rows={1}
              className="resize-none"
              maxLength={limits.noteCharacters}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          )}
        </Field>
        {!isCategoryChosenElsewhere && <CategoryChoice sop={sop} />}
        {wasPublished && <ChangeClassChoice asked={readers?.asked} value={changeClass} onChange={setChangeClass} />}
      </div>
    </Dialog>
  );
}
