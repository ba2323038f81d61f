/** Asks for the outcome of a periodic review: keep, revise or archive. */
import { useId, useState, type FormEvent } from "react";
import { useNavigate } from "react-router-dom";
import { catalog } from "#core/language/catalog.ts";
import { ApiError } from "#core/api/client.ts";
import type { ReviewVerdict } from "#core/sops/review-verdicts.ts";
import type { Sop } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { errorMessageOf, useRead, useWrite } from "../api.ts";
import { tomorrowUtc, outcomes } from "../sops/view/control-texts.ts";
import { SopConfirmDialog } from "../sops/view/SopConfirmDialog.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import { boundaryText, dateText } from "../ui/time.ts";
import { useToast } from "../ui/Toast.tsx";
import { useConfirm } from "../ui/use-confirm.ts";

const texts = catalog("periodic-review.review-dialog", {
  title: "Review this SOP",
  outcome: "Outcome",
  note: "Note",
  noteHint: "The reason for this outcome",
  next: "Next review",
  nextHint: "Leave empty for the category or company default.",
  save: "Record review",
  cancel: "Cancel",
  saved: "Review recorded",
  failed: "Couldn't record the review. Try again.",
  earlier: "Earlier reviews",
  theNextReviewIs: "The next review is on {reviewBy}.",
  titleAndVersion: "{title}, version {version}",
});

interface ReviewDialogProps {
  sop: Sop;
  mayArchive: boolean;
  onDone(sop: Sop): void;
  onClose(): void;
}

export function ReviewDialog({ sop, mayArchive, onDone, onClose }: ReviewDialogProps) {
  const form = useId();
  const navigate = useNavigate();
  const toast = useToast();
  const review = useWrite("sops", "review");
  const question = useConfirm<"archive">();
  const [outcome, setOutcome] = useState<ReviewVerdict>("keep");
  const [note, setNote] = useState("");
  const [reviewBy, setReviewBy] = useState("");

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (outcome === "archive" && !(await question.ask("archive"))) return;
    const body = {
      verdict: outcome,
      note: note.trim() || null,
      ...(outcome === "keep" && reviewBy !== "" && { reviewBy }),
    };
    try {
      const next = await review.mutateAsync({ params: { id: sop.id }, body, ifMatch: sop.version });
      const nextReview =
        outcome === "keep" && next.reviewBy
          ? texts.theNextReviewIs({ reviewBy: boundaryText(next.reviewBy) })
          : undefined;
      toast({ title: texts.saved, ...(nextReview !== undefined && { description: nextReview }) });
      onDone(next);
      onClose();
      if (outcome === "revise") void navigate(`/sop/${sop.id}/edit`);
    } catch {
      // The form shows the error.
    }
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={texts.title}
      description={texts.titleAndVersion({ title: sop.title, version: sop.published?.version ?? sop.version })}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button variant="primary" type="submit" form={form} busy={review.isPending}>
            {texts.save}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        {review.isError && !reviewDateErrorOf(review.error) && (
          <Alert tone="destructive" live>
            {errorMessageOf(review.error, texts.failed)}
          </Alert>
        )}
        <VerdictChoice value={outcome} mayArchive={mayArchive} onChange={setOutcome} />
        {outcome === "keep" && (
          <Field label={texts.next} optional hint={texts.nextHint} error={reviewDateErrorOf(review.error)}>
            {(own) => (
              <Input
                {...own}
                type="date"
                min={tomorrowUtc()}
                value={reviewBy}
                onChange={({ target }) => setReviewBy(target.value)}
              />
            )}
          </Field>
        )}
        <Field label={texts.note} optional hint={texts.noteHint}>
          {(own) => (
            <Textarea
              {...own}
              rows={3}
              maxLength={2000}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          )}
        </Field>
      </form>
      <EarlierReviews id={sop.id} />
      {question.subject && (
        <SopConfirmDialog
          action={question.subject}
          sop={sop}
          onConfirm={() => question.answer(true)}
          onClose={() => question.answer(false)}
        />
      )}
    </Dialog>
  );
}

function reviewDateErrorOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== "invalid_input") return undefined;
  const { reviewBy } = (error.details ?? {}) as { reviewBy?: unknown };
  return typeof reviewBy === "string" ? reviewBy : undefined;
}

interface VerdictChoiceProps {
  value: ReviewVerdict;
  mayArchive: boolean;
  onChange(outcome: ReviewVerdict): void;
}

function VerdictChoice({ value, mayArchive, onChange }: VerdictChoiceProps) {
  const name = useId();
  const offered = (["keep", "revise", "archive"] as const).filter((one) => one !== "archive" || mayArchive);
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{texts.outcome}</legend>
      {offered.map((one) => (
        <label
          key={one}
          className="flex items-start gap-2.5 rounded-md border border-line px-3.5 py-3 text-sm has-checked:border-primary has-checked:bg-primary-soft"
        >
          <input
            type="radio"
            name={name}
            checked={value === one}
            onChange={() => onChange(one)}
            className="mt-0.5 size-4 shrink-0 accent-primary"
            aria-describedby={`${name}-${one}`}
            aria-label={outcomes[one].label}
          />
          <span>
            <span className="font-medium">{outcomes[one].label}</span>
            <span id={`${name}-${one}`} className="block text-sm text-muted">
              {outcomes[one].hint}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function EarlierReviews({ id }: { id: string }) {
  const { data } = useRead("sops", "reviews", { params: { id } });
  if (!data || data.length === 0) return null;
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h3 className="mb-2 text-sm font-semibold">{texts.earlier}</h3>
      <ul className="grid gap-2 text-sm">
        {data.map(({ id: key, verdict: outcome, version, reviewedBy, createdAt, note }) => (
          <li key={key}>
            <span className="font-medium">{outcomes[outcome].done}</span>
            <span className="text-muted">{` · v${version} · ${printedName(reviewedBy)} · ${dateText(createdAt)}`}</span>
            {note && <p className="whitespace-pre-wrap">{note}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
