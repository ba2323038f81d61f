import { clsx } from "clsx";
import { ArrowLeft, CircleCheck, Eye, Save } from "lucide-react";
import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode, type RefObject } from "react";
import { useWatch } from "react-hook-form";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import { useRead } from "../../api.ts";
import { SentBack } from "../../approvals/SentBack.tsx";
import type { Checked, Finding } from "../../editor/findings.ts";
import { EditPresence } from "../../presence/PresenceLine.tsx";
import { useMay } from "../../session.tsx";
import { PageHeading } from "../../shell/PageHeading.tsx";
import { FromTemplate } from "../../templates/FromTemplate.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { later } from "../../ui/later.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { timeAgo } from "../../ui/time.ts";
import { useQuestion } from "../../ui/use-question.ts";
import { ConflictDialog } from "./ConflictDialog.tsx";
import { DetailFields, TitleFields } from "./EditFields.tsx";
import { texts } from "./edit-texts.ts";
import { EnhanceButton } from "./EnhanceButton.tsx";
import { EnhanceNotices } from "./EnhanceNotices.tsx";
import { EnhanceReview } from "./EnhanceReview.tsx";
import { PreviewDialog } from "./PreviewDialog.tsx";
import { PublishDialog } from "../view/PublishDialog.tsx";
import { SopQuestion } from "../view/SopQuestion.tsx";
import { Stranded } from "./StrandedDraft.tsx";
import { TextChecks } from "./TextChecks.tsx";
import { useAskedImprovement } from "./use-asked-improvement.ts";
import { useEnhance } from "./use-enhance.ts";
import { useLeaveGuard } from "./use-leave-guard.ts";
import { useSopForm, type SopFormState } from "./use-sop-form.ts";
import { useStatusHint } from "./use-status-hint.ts";
import { VersionHistory } from "../history/VersionHistory.tsx";

const MarkdownEditor = later(
  () => import("../../editor/MarkdownEditor.tsx").then((module) => module.MarkdownEditor),
  ({ markdown }) => <EditorSkeleton tall={markdown.length > 2_000} />,
);
// it loads beside the form
void MarkdownEditor.preload();

interface EditFormProps {
  /** What was stored when the screen opened; null for a new SOP. */
  initial: Sop | null;
  /** The newest that the server told of since. */
  latest: Sop | null;
  /** What is shown in place of an SOP that can't be edited any more, once nothing of it is unsaved. */
  closed: ReactNode;
}

export function EditForm({ initial, latest, closed }: EditFormProps) {
  const navigate = useNavigate();
  const toast = useToast();
  const [params] = useSearchParams();
  const toSop = (sop: Sop) => void navigate(`/sop/${sop.id}`);
  const { hintOf } = useStatusHint();
  const [publishing, setPublishing] = useState<{ sop: Sop; stay: boolean } | null>(null);
  const question = useQuestion<"archive">();
  const state = useSopForm(initial, params.get("category") ?? "", {
    // a decision changes the status without a new version
    hintOf: (sop, values) => hintOf(sop && latest?.version === sop.version ? latest : sop, values),
    askToArchive: () => question.ask("archive"),
    onSaved: (sop, stay) => (!stay || !initial) && toSop(sop),
    onPublish: (sop, stay) => setPublishing({ sop, stay }),
  });
  const { form, base, unsaved, save } = state;
  const { errors } = form.formState;
  const [checked, setChecked] = useState<Checked | null>(null);
  const [fixed, setFixed] = useState<readonly Finding[]>([]);
  const [preview, setPreview] = useState<SopForm | null>(null);
  const categories = useRead("categories", "list", {});
  const options = (categories.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const enhancing = useEnhance(state);
  useAskedImprovement(enhancing.start);
  useLeaveGuard(unsaved);
  const place = useRef<HTMLFormElement>(null);
  useSaveKey(place, () => void save(true));

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
            {!base && <FromTemplate replaces={unsaved} onChosen={state.startFrom} />}
            {base && <VersionHistory sop={base} unsaved={unsaved} onRestored={state.replace} />}
            <EnhanceButton enhancing={enhancing} />
            <Button onClick={() => setPreview(state.current())}>
              <Eye aria-hidden />
              {texts.preview}
            </Button>
            <PublishButton state={state} latest={latest} />
            <Button variant="primary" busy={state.isSaving} onClick={() => void save(false)}>
              <Save aria-hidden />
              {texts.save}
            </Button>
          </>
        }
      />
      {closed && <Closed state={state} />}
      <Notices state={state} latest={latest} />
      {base && <SentBack sop={base} />}
      {enhancing.proposal && (
        <EnhanceReview proposal={enhancing.proposal} onApply={enhancing.apply} onDiscard={enhancing.discard} />
      )}
      <form
        ref={place}
        noValidate
        aria-label={base ? texts.editTitle : texts.newTitle}
        onSubmit={(event) => {
          event.preventDefault();
          void save(false);
        }}
        className="grid grid-cols-[minmax(0,1fr)] gap-5 xl:grid-cols-[minmax(0,1fr)_19rem]"
      >
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
          <TitleFields register={form.register} errors={errors} />
          <EnhanceNotices enhancing={enhancing} />
          <ContentField
            state={state}
            checked={checked}
            onFixed={(finding) => setFixed((others) => [...others, finding])}
            onUploadFailed={(description) => {
              state.uploadFailed();
              toast({ title: texts.uploadFailed, description, variant: "destructive" });
            }}
          />
          <TextChecks
            state={state}
            fixed={fixed}
            onChecked={(next) => {
              setChecked(next);
              setFixed([]);
            }}
          />
        </div>
        <div className="grid content-start gap-4">
          <DetailFields
            register={form.register}
            control={form.control}
            errors={errors}
            sop={base}
            unsaved={unsaved}
            saving={state}
            categories={options}
          />
        </div>
        {/* Enter in a field saves, as in every form */}
        <button type="submit" hidden tabIndex={-1} aria-hidden />
      </form>
      {publishing && (
        <PublishDialog
          sop={publishing.sop}
          onPublished={(sop) => (!publishing.stay || !initial) && toSop(sop)}
          onClose={() => {
            setPublishing(null);
            // a new SOP has a page of its own now
            if (!initial) toSop(publishing.sop);
          }}
        />
      )}
      {question.asked && base && (
        <SopQuestion
          asked={question.asked}
          sop={base}
          onConfirm={() => question.answer(true)}
          onClose={() => question.answer(false)}
        />
      )}
      {preview && <PreviewDialog {...preview} onClose={() => setPreview(null)} />}
      {state.conflict && base && state.baseVersion !== null && (
        <ConflictDialog
          id={base.id}
          mine={state.conflict.mine}
          base={base}
          baseVersion={state.baseVersion}
          categoryName={(id) => options.find(({ value }) => value === id)?.label ?? ""}
          busy={state.isSaving}
          onSave={state.resolve.save}
          onEdit={state.resolve.edit}
          onTakeTheirs={state.resolve.takeTheirs}
          onClose={state.resolve.close}
        />
      )}
    </div>
  );
}

/** Offered where a save picked as Published would ask the same, and there is something to publish. */
function PublishButton({ state, latest }: { state: SopFormState; latest: Sop | null }) {
  const { form, base, unsaved } = state;
  const { hintOf } = useStatusHint();
  const values = useWatch({
    control: form.control,
    compute: ({ categoryId, effectiveAt }) => ({ categoryId, effectiveAt }),
  });
  const sop = base && latest?.version === base.version ? latest : base;
  const isDue = unsaved || sop?.status === "draft";
  if (!isDue || hintOf(sop, { ...values, status: "published" }).saves !== "published") return null;
  return (
    <Button busy={state.isSaving} onClick={() => void state.publish()}>
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
  state: SopFormState;
  checked: Checked | null;
  onFixed(finding: Finding): void;
  onUploadFailed(message: string): void;
}

function ContentField({ state, checked, onFixed, onUploadFailed }: ContentFieldProps) {
  const errorId = useId();
  const { form, editor, loaded, edited, textChanged } = state;
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
        onEdit={edited}
        onChange={textChanged}
        onFailed={onUploadFailed}
        onFixed={onFixed}
        upload={state.upload}
        checked={checked}
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

function Closed({ state }: { state: SopFormState }) {
  const may = useMay();
  const navigate = useNavigate();
  const takeAlong = (): void => {
    state.startAnew();
    void navigate("/sop/new");
  };
  return (
    <Stranded title={texts.strandedTitle} onTaken={may("sop.create") ? takeAlong : null}>
      {texts.strandedText} {texts.strandedHere}
    </Stranded>
  );
}

function Notices({ state, latest }: { state: SopFormState; latest: Sop | null }) {
  const { draft, form, setAside, baseVersion } = state;
  const refused = form.formState.errors.root?.message;
  const isNewer = latest !== null && baseVersion !== null && latest.version > baseVersion;
  const newer = isNewer && !state.isSaving && !state.conflict ? latest : null;
  return (
    <>
      {refused && (
        <Alert tone="destructive" live>
          {refused}
        </Alert>
      )}
      {draft.found && (
        <Alert
          tone="info"
          live
          title={texts.draftTitle}
          actions={
            <>
              <Button size="sm" variant="primary" onClick={state.restoreDraft}>
                {texts.draftRestore}
              </Button>
              <Button size="sm" onClick={state.discardDraft}>
                {texts.draftDiscard}
              </Button>
            </>
          }
        >
          {`From ${timeAgo(draft.found.savedAt)}, kept in this browser.`}
          {draft.found.baseVersion !== baseVersion &&
            ` They start from version ${draft.found.baseVersion}. Saving shows you both.`}
        </Alert>
      )}
      {setAside && (
        <Alert
          tone="info"
          live
          title={texts.setAsideTitle}
          actions={
            <Button size="sm" onClick={state.bringBack}>
              {texts.bringBack}
            </Button>
          }
        >
          {texts.setAside}
        </Alert>
      )}
      {newer && (
        <Alert tone="warning" live title={texts.newerTitle}>
          {`${newer.control.changedBy.name} saved version ${newer.version} while you were editing version ${baseVersion}. Saving shows you both.`}
        </Alert>
      )}
    </>
  );
}

/** Ctrl+S or ⌘S saves, also while the cursor is in the text; not under a window, which hides the form. */
function useSaveKey(place: RefObject<HTMLElement | null>, save: () => void): void {
  const onSave = useEffectEvent(save);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      if (!place.current?.closest("[aria-hidden=true]")) onSave();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [place]);
}
