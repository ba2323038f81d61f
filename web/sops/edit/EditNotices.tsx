/** Notices above the form of the edit screen. */
import type { Sop } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { timeAgo } from "../../ui/time.ts";
import { TextNotes } from "../TextNotes.tsx";
import { texts } from "./edit-texts.ts";
import type { SopEditing } from "./use-sop-editing.ts";

export interface NoticeProps {
  editing: SopEditing;
  isSaving: boolean;
  /** The latest version that the server announced. */
  latest: Sop | null;
}

export function EditNotices({ editing, isSaving, latest }: NoticeProps) {
  const { state, form, send, restoreDraft, notes } = editing;
  const { writtenOn, dialog, setAside, drafts } = state;
  const refused = form.formState.errors.root?.message;
  const isNewer = latest !== null && writtenOn !== null && latest.version > writtenOn;
  const newer = isNewer && !isSaving && dialog?.ask !== "merge" ? latest : null;
  const [found] = drafts.found;
  return (
    <>
      {refused && (
        <Alert tone="destructive" live>
          {refused}
        </Alert>
      )}
      <TextNotes title={notes.shown.title} notes={notes.shown.lines} onClose={notes.close} />
      {found && (
        <Alert
          tone="info"
          live
          title={texts.draftTitle}
          actions={
            <>
              <Button size="sm" variant="primary" onClick={restoreDraft}>
                {texts.draftRestore}
              </Button>
              <Button size="sm" onClick={() => send({ type: "draftDiscarded" })}>
                {texts.draftDiscard}
              </Button>
            </>
          }
        >
          {texts.fromKeptInThis({ savedAt: timeAgo(found.savedAt) })}
          {found.baseVersion !== null &&
            found.baseVersion !== writtenOn &&
            ` ${texts.theyStartFrom({ version: found.baseVersion })}`}
        </Alert>
      )}
      {setAside && (
        <Alert
          tone="info"
          live
          title={texts.setAsideTitle}
          actions={
            <Button size="sm" onClick={() => send({ type: "mineBroughtBack" })}>
              {texts.bringBack}
            </Button>
          }
        >
          {texts.setAside}
        </Alert>
      )}
      {newer && (
        <Alert tone="warning" live title={texts.newerTitle}>
          {texts.savedVersionWhileYou({
            changedBy: printedName(newer.control.changedBy),
            version: newer.version,
            writtenOn: writtenOn ?? "",
          })}
        </Alert>
      )}
    </>
  );
}
