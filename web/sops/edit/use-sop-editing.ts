/** Connects the edit screen's state machine (`core/sops/editing.ts`) with form, editor, server and browser. */
import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import type { z } from "zod";
import { ApiError } from "#core/api/client.ts";
import { noteTexts } from "#core/import/markdown/report.ts";
import { newId } from "#core/ids.ts";
import { limits } from "#core/limits.ts";
import {
  draftKeyPrefix,
  isBusy,
  startEditing,
  type EditingEffect,
  type SaveFailure,
  type SaveOutcome,
} from "#core/sops/editing.ts";
import { advanceEditing } from "#core/sops/editing-next.ts";
import { saveBodyOf, formFields, sopFormValuesOf } from "#core/sops/form-values.ts";
import { SopForm, type SavedSop, type Sop } from "#core/sops/schema.ts";
import { queryKeyOf, errorMessageOf, useClient, useWrite } from "../../api.ts";
import { submissionStateOf } from "../../approvals/submission.ts";
import type { EditorHandle } from "../../editor/editor-handle.ts";
import type { UploadAsset } from "../../editor/images.ts";
import { uploadAsset } from "../../editor/upload-asset.ts";
import { useMe } from "../../session.tsx";
import type { TemplateValues } from "../../templates/TemplateButton.tsx";
import { showFieldErrors } from "../../ui/server-errors.ts";
import { useToast } from "../../ui/Toast.tsx";
import { useMachine } from "../../ui/use-machine.ts";
import type { TextNotesState } from "../TextNotes.tsx";
import { createDebounce } from "../../ui/debounce.ts";
import { loadAndPruneDrafts, deleteDraft, storeEditDraft } from "./edit-draft.ts";
import { texts } from "./edit-texts.ts";
import { useCategoryFirst } from "./use-category-first.ts";
import { useTextNotes } from "./use-text-notes.ts";
import { saveFallbackDraft } from "./fallback-drafts.ts";
import { formErrors } from "../../form-errors.ts";

type SavedSopAnswer = z.output<typeof SavedSop>;

const resolver = zodResolver(SopForm, formErrors);
/** The browser keeps the draft after this pause in typing, and at the latest after `mostMs`. */
const restMs = 1000;
const mostMs = 5000;
/**
 * The server gets a version automatically after this pause in typing, and at the latest after `mostWithoutVersionMs`.
 */
const pauseMs = 5 * 60_000;
const mostWithoutVersionMs = 60 * 60_000;

/**
 * @param asked category and title of a new SOP, from the link that opened the screen
 * @param outcomeOf returns what a save with this status does
 */
export function useSopEditing(
  initial: Sop | null,
  asked: Pick<SopForm, "categoryId" | "title">,
  outcomeOf: (sop: Sop | null, values: SopForm) => SaveOutcome,
) {
  const me = useMe();
  const toast = useToast();
  const client = useClient();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useForm<SopForm>({
    resolver,
    defaultValues: { ...sopFormValuesOf(initial), ...(initial ? {} : asked) },
  });
  const editor = useRef<EditorHandle>(null);
  const template = useRef<string | undefined>(undefined);
  const [loaded, setLoaded] = useState({ turn: 0, markdown: initial?.markdown ?? "" });
  const notes = useTextNotes();
  const [rest] = useState(() => createDebounce(restMs, mostMs));
  const [pause] = useState(() => createDebounce(pauseMs, mostWithoutVersionMs));
  const create = useWrite("sops", "create");
  const update = useWrite("sops", "update");

  const currentForm = (): SopForm => ({
    ...form.getValues(),
    markdown: editor.current?.read() ?? form.getValues("markdown"),
  });
  const { state, send, until } = useMachine(advanceEditing, () => startEditing(initial, me.id, newId()), runEffect);

  function runEffect(effect: EditingEffect): void {
    switch (effect.do) {
      case "show":
        form.reset(effect.values);
        return setLoaded(({ turn }) => ({ turn: turn + 1, markdown: effect.values.markdown }));
      case "set":
        for (const field of formFields) {
          const value = effect.values[field];
          if (value !== undefined) form.setValue(field, value);
        }
        return;
      case "check":
        return void checkForm(effect);
      case "send":
        return void storeSop(effect).then(
          (sop) => {
            notes.showSaved(noteTexts(sop.notes ?? []), effect.isAutomatic);
            send({ type: "saved", sop, now: currentForm() });
          },
          (error: unknown) => send({ type: "failed", failure: saveFailureOf(error), now: currentForm() }),
        );
      case "readAttempt":
        return void client.sops
          .get({ params: { id: effect.id } })
          .catch(() => null)
          .then((sop) => send({ type: "attemptRead", sop, now: currentForm() }));
      case "remember":
        return void queryClient.setQueryData(queryKeyOf("sops", "get", { params: { id: effect.sop.id } }), effect.sop);
      case "lookAgain":
        return void queryClient.invalidateQueries({
          queryKey: queryKeyOf("sops", "get", { params: { id: effect.id } }),
        });
      case "announce":
        return toast(
          notes.withNotes({ title: texts[effect.what], ...(effect.note && { description: texts[effect.note] }) }),
        );
      case "complain":
        return showFailure(effect);
      case "keepSoon":
        pause.schedule(() => send({ type: "paused", now: currentForm() }));
        return rest.schedule(() => send({ type: "rested", now: currentForm() }));
      case "keep":
        return void storeDraft(effect);
      case "drop":
        return effect.keys.forEach((key) => void deleteDraft(key));
      case "open":
        return void navigate(`/sop/${effect.sop.id}`, {
          state: {
            ...(effect.submits && submissionStateOf(effect.sop)),
            ...(notes.savedNotes().length > 0 && { saveNotes: notes.savedNotes() }),
          } satisfies TextNotesState,
        });
      case "openEditor":
        return void navigate(`/sop/${effect.sop.id}/edit`, { replace: true });
      case "openNew":
        return void navigate("/sop/new");
    }
  }

  async function checkForm({
    values: { markdown, status },
    base,
  }: Extract<EditingEffect, { do: "check" }>): Promise<void> {
    form.clearErrors("root");
    form.setValue("markdown", markdown);
    await form
      .handleSubmit(
        (checked) => {
          const values = { ...checked, status };
          send({ type: "checked", values, outcome: outcomeOf(base, values) });
        },
        (errors) => {
          const only = Object.keys(errors);
          if (only.length === 1 && only[0] === "markdown") editor.current?.focus();
          send({ type: "invalid" });
        },
      )()
      // The code that validates the form loads with the first save, and loading can fail.
      .catch((error: unknown) => send({ type: "failed", failure: { why: "other", error }, now: currentForm() }));
  }

  function storeSop({
    base,
    version,
    values,
    aiCalls,
    isAutomatic,
  }: Extract<EditingEffect, { do: "send" }>): Promise<SavedSopAnswer> {
    const body = {
      ...saveBodyOf(values, base),
      ...(aiCalls.length > 0 && { aiCalls: aiCalls.slice(-limits.aiCalls) }),
      ...(isAutomatic && { automatic: true as const }),
    };
    return base
      ? update.mutateAsync({ params: { id: base.id }, body, ...(version !== null && { ifMatch: version }) })
      : // A repeated attempt after a lost answer must not create a second SOP.
        create.mutateAsync({
          body: { ...body, ...(template.current !== undefined && { copyOf: template.current }) },
          idempotencyKey: state.visit,
        });
  }

  function showFailure({ isNew, reason, error }: Extract<EditingEffect, { do: "complain" }>): void {
    const title = isNew ? texts.createFailed : texts.updateFailed;
    toast({ title: texts.error, description: title, variant: "destructive" });
    const message = reason ?? (error instanceof ApiError ? errorMessageOf(error, title) : texts.noAnswer);
    if (!showFieldErrors(error, formFields, form.setError)) form.setError("root", { message });
  }

  async function storeDraft({
    key,
    draft,
    replaces,
    isLast,
    isAnnounced,
  }: Extract<EditingEffect, { do: "keep" }>): Promise<void> {
    const now = { ...draft, savedAt: new Date().toISOString() };
    // A database is too slow for a page that closes.
    const isInFallback = isLast && saveFallbackDraft(key, now);
    const isKept = (await storeEditDraft(key, now)) || isInFallback || saveFallbackDraft(key, now);
    send(isKept ? { type: "draftKept", replaced: replaces } : { type: "draftRefused" });
    if (!isAnnounced) return;
    toast(
      isKept ? { title: texts.kept } : { title: texts.notKept, description: texts.notKeptText, variant: "destructive" },
    );
  }

  const onLeave = useEffectEvent(() => send({ type: "left", now: currentForm() }));
  // A layout effect, because the editor below still exists then, and only it has the latest text.
  useLayoutEffect(() => {
    send({ type: "entered" });
    return () => onLeave();
  }, [send]);

  const onHide = useEffectEvent(() => send({ type: "hidden", now: currentForm() }));
  useEffect(() => {
    const onVisibility = () => document.visibilityState === "hidden" && onHide();
    const onPageHide = () => onHide();
    document.addEventListener("visibilitychange", onVisibility);
    window.addEventListener("pagehide", onPageHide);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("pagehide", onPageHide);
    };
  }, []);

  const sopId = initial?.id ?? null;
  useEffect(() => {
    void loadAndPruneDrafts(draftKeyPrefix(me.id, sopId)).then((drafts) => send({ type: "draftsFound", drafts }));
  }, [me.id, sopId, send]);

  const noteTyping = (): void => {
    // This runs at every key. Clearing errors when there are none would still render the form again.
    if (form.formState.errors.root) form.clearErrors("root");
    send({ type: "typed" });
  };
  useEffect(() =>
    form.subscribe({ formState: { values: true }, callback: ({ type }) => type === "change" && noteTyping() }),
  );

  const category = useCategoryFirst(form, () => state.base === null, currentForm);
  // The SOP is stored and has no unsaved changes, so another page is about to open.
  const isLeaving = state.base !== null && !state.isUnsaved;
  const isUnderWay = state.dialog === null && (state.step.at !== "rest" || isLeaving);
  if (category.question === "answered" && !isUnderWay) category.close();

  const uploadImage: UploadAsset = (file) => {
    const sent = uploadAsset(file);
    send({ type: "imageStarted" });
    // The editor handles the answer first and inserts the image into the text.
    void Promise.allSettled([sent]).then(() => send({ type: "imageEnded", now: currentForm() }));
    return sent;
  };

  return {
    form,
    editor,
    loaded,
    state,
    send,
    current: currentForm,
    typed: noteTyping,
    upload: uploadImage,
    isSaving: isBusy(state),
    imagesArrived: () => until(({ images }) => images.underWay === 0),
    category,
    notes,
    save: (stay: boolean) => category.runWithCategory(() => send({ type: "saveRequested", stay, now: currentForm() })),
    publish: () => category.runWithCategory(() => send({ type: "publishRequested", now: currentForm() })),
    submit: (stored: Sop | null) =>
      category.runWithCategory(() => send({ type: "submitRequested", stored, now: currentForm() })),
    saveMerged: (theirs: Sop, values: SopForm) =>
      send({ type: "mergeSaved", theirs, values, outcome: outcomeOf(theirs, values) }),
    /**
     * Called when the user pauses in the editor. The form takes the text, and its error disappears once there is some.
     */
    textChanged: (markdown: string) => {
      form.setValue("markdown", markdown);
      if (markdown.trim() !== "") form.clearErrors("markdown");
    },
    restoreDraft: () => send({ type: "draftRestored", now: currentForm(), at: new Date().toISOString() }),
    takeAlong: () => send({ type: "takenAlong", now: currentForm() }),
    /** Shows the version that was restored and is now the latest version. */
    showRestored: (sop: Sop, isUndo = false) => send({ type: "restored", sop, isUndo, now: currentForm() }),
    /** Starts a new SOP with a template's text. A category that the user chose stays. */
    startFrom: ({ title, description, markdown, readTime, categoryId, copyOf }: TemplateValues) => {
      const now = currentForm();
      template.current = copyOf;
      const values = {
        ...now,
        title,
        description,
        markdown,
        readTime,
        categoryId: now.categoryId || (categoryId ?? ""),
      };
      send({ type: "templateChosen", values });
    },
  };
}

export type SopEditing = ReturnType<typeof useSopEditing>;

function saveFailureOf(error: unknown): SaveFailure {
  if (!(error instanceof ApiError)) return { why: "other", error };
  const { id } = (error.details ?? {}) as { id?: unknown };
  if (error.code === "stale") return { why: "stale", error };
  if (error.status === 403 || error.status === 404) return { why: "gone", error };
  const isAttempt = error.code === "conflict" || error.code === "unprocessable";
  return isAttempt && typeof id === "string" ? { why: "created", id, error } : { why: "other", error };
}
