import { clsx } from "clsx";
import { useEffect, useEffectEvent, useId, useState, type ReactNode } from "react";
import { useWatch } from "react-hook-form";
import { useNavigate, useSearchParams, Link } from "react-router-dom";
import { categoryOptions } from "../../categories/category-options.ts";
import { editedFields } from "#core/sop-fields.ts";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import { useRead } from "../../api.ts";
import { RequestedChanges } from "../../approvals/RequestedChanges.tsx";
import { useMay } from "../../session.tsx";
import { useCommand } from "../../shortcuts/use-command.ts";
import { FieldError } from "../../ui/Field.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useMediaQuery } from "../../ui/use-media-query.ts";
import { useToast } from "../../ui/Toast.tsx";
import { textDirectionOf, type Direction } from "../direction.ts";
import { StartOptions } from "./StartOptions.tsx";
import { ConflictDialog } from "./ConflictDialog.tsx";
import type { EditorMode } from "../../editor/editor-handle.ts";
import type { CheckFinding } from "../../editor/findings.ts";
import { EditBar } from "./EditBar.tsx";
import { EditMenu } from "./EditMenu.tsx";
import { EditNotices } from "./EditNotices.tsx";
import { barTexts, texts } from "./edit-texts.ts";
import { EnhanceNotices } from "./EnhanceNotices.tsx";
import { formFieldOf, positionOfFinding } from "./finding-field.ts";
import { PageFields } from "./PageFields.tsx";
import { PreviewDialog } from "./PreviewDialog.tsx";
import { SopConfirmDialog } from "../view/SopConfirmDialog.tsx";
import { UnsavableAlert } from "./RecoverDraft.tsx";
import { TextChecks } from "./TextChecks.tsx";
import { useImproveFromAddress } from "./use-improve-link.ts";
import { useNextAction } from "./use-next-action.ts";
import { useEnhance } from "./use-enhance.ts";
import { useSopEditing, type SopEditing } from "./use-sop-editing.ts";
import { useStatusHint } from "./use-status-hint.ts";
import { useTextChecks, type TextCheck } from "./use-text-checks.ts";
import { VersionHistory } from "../history/VersionHistory.tsx";
import { approvalProgressText, approvalRuleText, type ListedApproval } from "../../approvals/approval-words.ts";
import { editTexts } from "../../approvals/texts.ts";
import { Alert } from "../../ui/Alert.tsx";

const MarkdownEditor = lazyPart(
  () => import("../../editor/MarkdownEditor.tsx").then((module) => module.MarkdownEditor),
  ({ markdown }) => <EditorSkeleton tall={markdown.length > 2_000} />,
);
// The editor's code loads while the form is shown.
void MarkdownEditor.preload();

const EnhanceReview = lazyPart(() => import("./EnhanceReview.tsx").then((module) => module.EnhanceReview));
const PublishDialog = lazyPart(() => import("../view/PublishDialog.tsx").then((module) => module.PublishDialog));
const SubmitForApprovalDialog = lazyPart(() =>
  import("../../approvals/SubmitForApprovalDialog.tsx").then((module) => module.SubmitForApprovalDialog),
);
const CategoryQuestion = lazyPart(async () => {
  // The code of the publish dialog loads too, so that it replaces this dialog without showing the page in between.
  const [{ CategoryQuestion: question }] = await Promise.all([
    import("./CategoryQuestion.tsx"),
    PublishDialog.preload(),
  ]);
  return question;
});
const PropertiesDrawer = lazyPart(() => import("./PropertiesDrawer.tsx").then((module) => module.PropertiesDrawer));
const inDrawer = editedFields.filter(({ edited }) => edited === "drawer").map(({ name }) => name);

interface EditFormProps {
  /** The SOP as stored when the screen opened; null for a new SOP. */
  initial: Sop | null;
  /** The latest version that the server has announced; null for a new SOP. */
  latest: Sop | null;
  /** Shown instead of an SOP that can't be edited anymore, once nothing is unsaved. */
  closed: ReactNode;
}

export function EditForm({ initial, latest, closed }: EditFormProps) {
  const navigate = useNavigate();
  const toast = useToast();
  const [params] = useSearchParams();
  const { hintOf } = useStatusHint();
  const asked = { categoryId: params.get("category") ?? "", title: params.get("title") ?? "" };
  const editing = useSopEditing(initial, asked, (sop, values) =>
    // A decision on a request changes the status without a new version.
    hintOf(sop && latest?.version === sop.version ? latest : sop, values),
  );
  const { form, state, send, save } = editing;
  const { base, dialog, isUnsaved: unsaved } = state;
  const { errors } = form.formState;
  const checks = useTextChecks(editing);
  const isEmpty = useWatch({ control: form.control, compute: ({ markdown }) => markdown.trim() === "" });
  const dir = useWatch({ control: form.control, compute: textDirectionOf });
  const begins = !base && isEmpty;
  const [preview, setPreview] = useState<SopForm | null>(null);
  const categories = useRead("categories", "list", {});
  const options = categoryOptions(categories.data);
  // The list of categories can lack the SOP's category: not loaded yet, out of date, or the category was deleted.
  if (base?.categoryId && !options.some(({ value }) => value === base.categoryId)) {
    options.push({ value: base.categoryId, label: base.category?.name ?? texts.lostCategory });
  }
  const enhancing = useEnhance(editing);
  const isSaving = editing.isSaving || enhancing.isWaiting;
  useImproveFromAddress(enhancing.start);
  useLeaveGuard(unsaved);
  const [place, setPlace] = useState<HTMLElement | null>(null);

  const next = useNextAction(editing, latest);
  useSaveKey(place, { save: () => save(true), next: () => next.main?.isDue && !isSaving && next.main.run() });
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    document.querySelector<HTMLElement>(`[aria-label="${barTexts.properties}"]`)?.focus();
  };
  useCommand("properties", () => (isOpen ? close() : setOpen(true)));
  const isNarrow = useMediaQuery("(max-width: 639px)");
  const hasRoom = useMediaQuery("(min-width: 64rem)");
  const [mode, setMode] = useState<EditorMode>("rich");
  // The drawer opens when fields in it are missing.
  const missing = [...inDrawer, ...(isNarrow ? (["categoryId"] as const) : [])].filter((field) => errors[field]);
  const tried = `${form.formState.submitCount} ${missing.join(" ")}`;
  const [seen, setSeen] = useState(tried);
  if (tried !== seen) {
    setSeen(tried);
    if (missing.length > 0) setOpen(true);
  }

  const showIssue = (issue: CheckFinding, text: string): void => {
    const field = formFieldOf(issue);
    if (field && inDrawer.some((name) => name === field)) return setOpen(true);
    // The dialog moves the focus as it closes, so this waits for that.
    setTimeout(() => {
      if (field) form.setFocus(field);
      else editing.editor.current?.show(issue.line > 0 ? issue : positionOfFinding(issue, text), text);
    });
  };

  if (closed && !unsaved) return closed;
  return (
    <div ref={setPlace} className="min-h-dvh">
      <EditBar
        editing={editing}
        isSaving={isSaving}
        categories={options}
        next={next.main}
        // A phone has no room for both actions.
        isEither={next.isEither && !isNarrow}
        properties={{ isOpen, toggle: () => (isOpen ? close() : setOpen(true)) }}
        menu={
          <EditMenu
            sop={base}
            editor={editing.editor}
            mode={mode}
            enhancing={enhancing}
            submit={next.submit}
            onSave={() => save(false)}
            onPreview={() => setPreview(editing.current())}
          />
        }
      />
      {base && <VersionHistory sop={base} hasButton={false} unsaved={unsaved} onRestored={editing.showRestored} />}
      <div className="flex items-start">
        <div className="mx-auto grid w-full min-w-0 flex-1 max-w-[44.5rem] grid-cols-[minmax(0,1fr)] gap-6 px-4 pt-5 pb-40 sm:pt-10">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 empty:hidden">
            {closed && <ClosedEditAlert onTaken={editing.takeAlong} />}
            <EditNotices editing={editing} isSaving={isSaving} latest={latest} />
            {next.pending && <PendingRequest request={next.pending} />}
            {base && <RequestedChanges sop={base} />}
            {enhancing.proposal && (
              <EnhanceReview proposal={enhancing.proposal} onApply={enhancing.apply} onDiscard={enhancing.discard} />
            )}
          </div>
          <form
            noValidate
            aria-label={base ? texts.editTitle : texts.newTitle}
            onSubmit={(event) => event.preventDefault()}
            className={clsx("grid grid-cols-[minmax(0,1fr)] gap-6", begins && "[&_.ProseMirror]:min-h-20")}
          >
            <PageFields
              register={form.register}
              dir={dir}
              errors={errors}
              focusTitle={initial ? null : () => form.setFocus("title")}
              onTitleEnd={editing.category.suggest}
              onEnd={() => editing.editor.current?.focus()}
            />
            <EnhanceNotices enhancing={enhancing} />
            <ContentField
              editing={editing}
              dir={dir}
              checks={checks}
              onMode={setMode}
              onUploadFailed={(description) => {
                send({ type: "imageLost" });
                toast({ title: texts.uploadFailed, description, variant: "destructive" });
              }}
              onPasteChanged={editing.notes.showPasted}
            />
          </form>
          {begins && (
            <StartOptions
              replaces={unsaved}
              onSteps={() => {
                editing.editor.current?.beginSteps();
                editing.editor.current?.focus();
              }}
              onTemplate={(text) => {
                editing.startFrom(text);
                // The dialog moves the focus as it closes, so this waits for that.
                setTimeout(() => form.setFocus("title"));
              }}
            />
          )}
        </div>
        {isOpen && (
          <div
            data-leaves-in-focus
            className="lg:sticky lg:top-13 lg:flex lg:h-[calc(100dvh-3.25rem)] lg:overflow-y-auto"
          >
            <PropertiesDrawer
              editing={editing}
              categories={options}
              checks={<TextChecks checks={checks} editing={editing} onLead={() => !hasRoom && setOpen(false)} />}
              onClose={close}
            />
          </div>
        )}
      </div>
      {editing.category.question && (
        <CategoryQuestion
          categories={options}
          isAnswered={editing.category.question === "answered"}
          onChosen={editing.category.answer}
          onClose={editing.category.close}
        />
      )}
      {dialog?.ask === "publish" && (
        <PublishDialog
          sop={dialog.sop}
          // For an SOP that isn't new, the bar shows the category.
          isCategoryChosenElsewhere={!state.isNew}
          onIssue={showIssue}
          onPublished={(sop) => send({ type: "published", sop })}
          onSubmit={(sop) => send({ type: "approvalPreferred", sop })}
          onClose={() => send({ type: "dialogClosed" })}
        />
      )}
      {dialog?.ask === "submit" && (
        // After submitting, the SOP's page opens, because further edits would end the request.
        <SubmitForApprovalDialog
          sop={dialog.sop}
          isCategoryChosenElsewhere
          onIssue={showIssue}
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

interface ContentFieldProps {
  editing: SopEditing;
  dir: Direction;
  checks: TextCheck;
  onMode(mode: EditorMode): void;
  onUploadFailed(message: string): void;
  onPasteChanged(lines: readonly string[]): void;
}

function ContentField({ editing, dir, checks, onMode, onUploadFailed, onPasteChanged }: ContentFieldProps) {
  const errorId = useId();
  const { form, editor, loaded } = editing;
  const error = form.formState.errors.markdown?.message;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <MarkdownEditor
        key={loaded.turn}
        ref={editor}
        markdown={loaded.markdown}
        label={texts.content}
        dir={dir}
        invalid={error !== undefined}
        describedBy={error ? errorId : undefined}
        onEdit={editing.typed}
        onChange={editing.textChanged}
        onFailed={onUploadFailed}
        onPasteChanged={onPasteChanged}
        onFixed={checks.markFixed}
        upload={editing.upload}
        checked={checks.checked}
        onMode={onMode}
      />
      <FieldError id={errorId} message={error} />
    </div>
  );
}

/** A placeholder as tall as the empty editor or the window, so that nothing moves when the editor loads. */
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

function ClosedEditAlert({ onTaken }: { onTaken(): void }) {
  const may = useMay();
  return (
    <UnsavableAlert title={texts.unsavableTitle} onCreate={may("sop.create") ? onTaken : null}>
      {texts.unsavableText} {texts.textStillHere}
    </UnsavableAlert>
  );
}

/**
 * Saves on Ctrl+S or ⌘S, and publishes or submits on Ctrl+Enter. The keys work in the text and in the properties, but
 * not while a dialog is open.
 */
function useSaveKey(page: HTMLElement | null, keys: { save(): void; next(): void }): void {
  const onSave = useEffectEvent(keys.save);
  const onNext = useEffectEvent(keys.next);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      const run = event.key.toLowerCase() === "s" ? onSave : event.key === "Enter" ? onNext : null;
      if (!run || (run === onNext && !page?.contains(event.target as Node))) return;
      event.preventDefault();
      const { target } = event;
      const inDrawer = target instanceof Element && target.closest("[data-drawer]") !== null;
      if (inDrawer || !page?.closest("[aria-hidden=true]")) run();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [page]);
}

/** Warns that saving ends the pending request. */
function PendingRequest({ request }: { request: ListedApproval }) {
  return (
    <Alert tone="warning" title={editTexts.endsReview}>
      {`${approvalRuleText(request)} · ${approvalProgressText(request)} `}
      <Link to={`/sop/${request.sopId}`} className="text-primary underline underline-offset-2">
        {editTexts.toApproval}
      </Link>
    </Alert>
  );
}

/** Makes the browser ask before a tab with unsaved text closes. */
function useLeaveGuard(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", askBeforeUnload);
    return () => window.removeEventListener("beforeunload", askBeforeUnload);
  }, [unsaved]);
}
