import { clsx } from "clsx";
import { ArrowLeft, CircleCheck, Eye, Save } from "lucide-react";
import { useEffect, useEffectEvent, useId, useState, type ReactNode } from "react";
import { useWatch } from "react-hook-form";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import { useRead } from "../../api.ts";
import { RequestDialog } from "../../approvals/RequestDialog.tsx";
import { RequestedChanges } from "../../approvals/RequestedChanges.tsx";
import { EditPresence } from "../../presence/PresenceLine.tsx";
import { useMay } from "../../session.tsx";
import { PageHeading } from "../../shell/PageHeading.tsx";
import { FromTemplate } from "../../templates/FromTemplate.tsx";
import { Button } from "../../ui/Button.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { ConflictDialog } from "./ConflictDialog.tsx";
import { DetailFields, TitleFields } from "./EditFields.tsx";
import { EditNotices, type NoticeProps } from "./EditNotices.tsx";
import { texts } from "./edit-texts.ts";
import { EnhanceButton } from "./EnhanceButton.tsx";
import { EnhanceNotices } from "./EnhanceNotices.tsx";
import { EnhanceReview } from "./EnhanceReview.tsx";
import { PreviewDialog } from "./PreviewDialog.tsx";
import { PublishDialog } from "../view/PublishDialog.tsx";
import { SopConfirmDialog } from "../view/SopConfirmDialog.tsx";
import { UnsavableAlert } from "./RecoverDraft.tsx";
import { TextChecks } from "./TextChecks.tsx";
import { useImproveLink } from "./use-improve-link.ts";
import { useEnhance } from "./use-enhance.ts";
import { useLeaveGuard } from "./use-leave-guard.ts";
import { useSopEditing, type SopEditing } from "./use-sop-editing.ts";
import { useStatusHint } from "./use-status-hint.ts";
import { useTextChecks, type TextCheck } from "./use-text-checks.ts";
import { VersionHistory } from "../history/VersionHistory.tsx";

const MarkdownEditor = lazyPart(
  () => import("../../editor/MarkdownEditor.tsx").then((module) => module.MarkdownEditor),
  ({ markdown }) => <EditorSkeleton tall={markdown.length > 2_000} />,
);
// it loads beside the form
void MarkdownEditor.preload();

interface EditFormProps {
  /** What was stored when the screen opened; null for a new SOP. */
  initial: Sop | null;
  /** The latest version that the server announced since. */
  latest: Sop | null;
  /** Shown in place of an SOP that can't be edited anymore, once nothing is unsaved. */
  closed: ReactNode;
}

export function EditForm({ initial, latest, closed }: EditFormProps) {
  const navigate = useNavigate();
  const toast = useToast();
  const [params] = useSearchParams();
  const { hintOf } = useStatusHint();
  const editing = useSopEditing(initial, params.get("category") ?? "", (sop, values) =>
    // a decision changes the status without a new version
    hintOf(sop && latest?.version === sop.version ? latest : sop, values),
  );
  const { form, state, send, save } = editing;
  const { base, dialog, isUnsaved: unsaved } = state;
  const { errors } = form.formState;
  const checks = useTextChecks(editing);
  const [preview, setPreview] = useState<SopForm | null>(null);
  const categories = useRead("categories", "list", {});
  const options = (categories.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const enhancing = useEnhance(editing);
  const isSaving = editing.isSaving || enhancing.isWaiting;
  useImproveLink(enhancing.start);
  useLeaveGuard(unsaved);
  const [place, setPlace] = useState<HTMLFormElement | null>(null);
  useSaveKey(place, () => save(true));

  if (closed && !unsaved) return closed;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Link
        to="/"
        className="inline-flex min-h-6 w-fit items-center gap-1.5 text-muted hover:text-text hover:underline"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {texts.back}
      </Link>
      <PageHeading
        title={base ? texts.editTitle : texts.newTitle}
        subtitle={base ? <Subtitle sop={base} /> : undefined}
        actions={
          <>
            {!base && <FromTemplate replaces={unsaved} onChosen={editing.startFrom} />}
            {base && <VersionHistory sop={base} unsaved={unsaved} onRestored={editing.showRestored} />}
            <EnhanceButton enhancing={enhancing} />
            <Button onClick={() => setPreview(editing.current())}>
              <Eye aria-hidden />
              {texts.preview}
            </Button>
            <PublishButton editing={editing} isSaving={isSaving} latest={latest} />
            <Button variant="primary" busy={isSaving} onClick={() => save(false)}>
              <Save aria-hidden />
              {texts.save}
            </Button>
          </>
        }
      />
      {closed && <Closed onTaken={editing.takeAlong} />}
      <EditNotices editing={editing} isSaving={isSaving} latest={latest} />
      {base && <RequestedChanges sop={base} />}
      {enhancing.proposal && (
        <EnhanceReview proposal={enhancing.proposal} onApply={enhancing.apply} onDiscard={enhancing.discard} />
      )}
      <form
        ref={setPlace}
        noValidate
        aria-label={base ? texts.editTitle : texts.newTitle}
        onSubmit={(event) => {
          event.preventDefault();
          save(false);
        }}
        className="grid grid-cols-[minmax(0,1fr)] gap-5 xl:grid-cols-[minmax(0,1fr)_19rem]"
      >
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
          <TitleFields register={form.register} errors={errors} />
          <EnhanceNotices enhancing={enhancing} />
          <ContentField
            editing={editing}
            checks={checks}
            onUploadFailed={(description) => {
              send({ type: "imageLost" });
              toast({ title: texts.uploadFailed, description, variant: "destructive" });
            }}
          />
          <TextChecks checks={checks} editing={editing} />
        </div>
        <div className="grid content-start gap-4">
          <DetailFields
            register={form.register}
            control={form.control}
            errors={errors}
            sop={base}
            unsaved={unsaved}
            saving={{ isSaving, submit: editing.submit }}
            categories={options}
          />
        </div>
        {/* Enter in a field saves, as in every form */}
        <button type="submit" hidden tabIndex={-1} aria-hidden />
      </form>
      {dialog?.ask === "publish" && (
        <PublishDialog
          sop={dialog.sop}
          onPublished={(sop) => send({ type: "published", sop })}
          onClose={() => send({ type: "dialogClosed" })}
        />
      )}
      {dialog?.ask === "submit" && (
        // editing on would end the request
        <RequestDialog
          sop={dialog.sop}
          onRequested={() => void navigate(`/sop/${dialog.sop.id}`)}
          onClose={() => send({ type: "dialogClosed" })}
        />
      )}
      {state.step.at === "archive" && base && (
        <SopConfirmDialog
          action="archive"
          sop={base}
          onConfirm={() => send({ type: "archiveAnswered", isYes: true })}
          onClose={() => send({ type: "archiveAnswered", isYes: false })}
        />
      )}
      {preview && <PreviewDialog {...preview} onClose={() => setPreview(null)} />}
      {dialog?.ask === "merge" && base && state.writtenOn !== null && (
        <ConflictDialog
          id={base.id}
          mine={dialog.mine}
          base={base}
          baseVersion={state.writtenOn}
          categoryName={(id) => options.find(({ value }) => value === id)?.label ?? ""}
          busy={isSaving}
          onSave={editing.saveMerged}
          onEdit={(theirs, values) => send({ type: "mergeEdited", theirs, values })}
          onTakeTheirs={(theirs) => send({ type: "theirsTaken", theirs })}
          onClose={() => send({ type: "dialogClosed" })}
        />
      )}
    </div>
  );
}

/** Offered where a save picked as Published would ask the same, and there is something to publish. */
function PublishButton({ editing, isSaving, latest }: NoticeProps) {
  const { form, state } = editing;
  const { base, isUnsaved } = state;
  const { hintOf } = useStatusHint();
  const values = useWatch({
    control: form.control,
    compute: ({ categoryId, effectiveAt }) => ({ categoryId, effectiveAt }),
  });
  const sop = base && latest?.version === base.version ? latest : base;
  const isDue = isUnsaved || sop?.status === "draft";
  if (!isDue || hintOf(sop, { ...values, status: "published" }).saves !== "published") return null;
  return (
    <Button busy={isSaving} onClick={editing.publish}>
      <CircleCheck aria-hidden />
      {texts.publish}
    </Button>
  );
}

/** Which version is being written on, and who else is at it. */
function Subtitle({ sop }: { sop: Sop }) {
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span>
        <Link to={`/sop/${sop.id}`} className="underline decoration-line underline-offset-4 hover:decoration-current">
          {sop.number}
        </Link>
        {` · version ${sop.version}`}
      </span>
      <EditPresence id={sop.id} />
    </span>
  );
}

interface ContentFieldProps {
  editing: SopEditing;
  checks: TextCheck;
  onUploadFailed(message: string): void;
}

function ContentField({ editing, checks, onUploadFailed }: ContentFieldProps) {
  const errorId = useId();
  const { form, editor, loaded } = editing;
  const error = form.formState.errors.markdown?.message;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <span className="text-sm font-medium">{texts.content}</span>
      <MarkdownEditor
        key={loaded.turn}
        ref={editor}
        markdown={loaded.markdown}
        label={texts.content}
        invalid={error !== undefined}
        describedBy={error ? errorId : undefined}
        onEdit={editing.typed}
        onChange={editing.textChanged}
        onFailed={onUploadFailed}
        onFixed={checks.markFixed}
        upload={editing.upload}
        checked={checks.checked}
      />
      <FieldError id={errorId} message={error} />
    </div>
  );
}

/** As tall as the empty editor, or as the window, so that nothing jumps. */
function EditorSkeleton({ tall }: { tall: boolean }) {
  return (
    <output className={clsx("block rounded-md border border-control p-5", tall && "min-h-dvh")}>
      <span className="sr-only">{texts.editorLoading}</span>
      <Skeleton className="mb-4 h-6 w-2/3" />
      <Skeleton className="mb-2 h-4 w-full" />
      <Skeleton className="h-64 w-full" />
    </output>
  );
}

function Closed({ onTaken }: { onTaken(): void }) {
  const may = useMay();
  return (
    <UnsavableAlert title={texts.unsavableTitle} onCreate={may("sop.create") ? onTaken : null}>
      {texts.unsavableText} {texts.textStillHere}
    </UnsavableAlert>
  );
}

/** Ctrl+S or ⌘S saves, also while the cursor is in the text; not under a window, which hides the form. */
function useSaveKey(form: HTMLElement | null, save: () => void): void {
  const onSave = useEffectEvent(save);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      if (!form?.closest("[aria-hidden=true]")) onSave();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [form]);
}
