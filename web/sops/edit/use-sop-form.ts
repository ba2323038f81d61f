/** The state of the edit screen: form, editor, the version it all stands on, and the way to save. */
import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "#core/contract/client.ts";
import { newId } from "#core/ids.ts";
import { limits } from "#core/limits.ts";
import { SopForm, type Sop } from "#core/sops/schema.ts";
import { keyOf, messageOf, useClient, useWrite } from "../../api.ts";
import type { EditorHandle } from "../../editor/editor-handle.ts";
import { useMe } from "../../session.tsx";
import type { TemplateText } from "../../templates/FromTemplate.tsx";
import { showUnderFields } from "../../ui/server-errors.ts";
import { useToast } from "../../ui/Toast.tsx";
import type { StatusHint } from "./edit-status-hint.ts";
import { texts } from "./edit-texts.ts";
import { asNew, bodyOf, comparedFields, restored, sameValues, valuesOf } from "./edit-values.ts";
import { useDraft } from "./use-draft.ts";
import { useUploads } from "./use-uploads.ts";

const resolver = zodResolver(SopForm);

/** What a save settles beside the text. */
const settled = [...comparedFields, "changeNote", "changeClass"] as const;

interface Conflict {
  mine: SopForm;
  stay: boolean;
}

interface Followers {
  /** Says what a save would do. */
  hintOf(sop: Sop | null, values: SopForm): StatusHint;
  /** A save would archive the SOP, which readers notice. @returns whether to go on */
  askToArchive(): Promise<boolean>;
  onSaved(sop: Sop, stay: boolean): void;
  /** It is stored as a draft, and its writer picked Published: readers get it by the answer to a question alone. */
  onPublish(sop: Sop, stay: boolean): void;
}

/** @param category what a new SOP starts in: 'New SOP in Category' names it */
export function useSopForm(
  initial: Sop | null,
  category: string,
  { hintOf, askToArchive, onSaved, onPublish }: Followers,
) {
  const me = useMe();
  const toast = useToast();
  const client = useClient();
  const queryClient = useQueryClient();
  const form = useForm<SopForm>({
    resolver,
    defaultValues: { ...valuesOf(initial), ...(initial ? {} : { categoryId: category }) },
  });
  const editor = useRef<EditorHandle>(null);
  const [base, setBase] = useState(initial);
  const [baseVersion, setBaseVersion] = useState(initial?.version ?? null);
  const [loaded, setLoaded] = useState({ turn: 0, markdown: initial?.markdown ?? "" });
  const [unsaved, setUnsaved] = useState(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [setAside, setSetAside] = useState<SopForm | null>(null);
  const create = useWrite("sops", "create");
  const update = useWrite("sops", "update");
  // the same attempt again, after an answer got lost on the way, must not make a second SOP
  const attempt = useRef(newId());
  // whose proposals were accepted since the last save: the version says so
  const aiCalls = useRef(new Set<string>());

  // what a save stands on: one that follows another at once can't wait for the screen to tell
  const standing = useRef({ sop: initial, version: initial?.version ?? null });
  const saving = useRef(false);
  /** What the last save stored, if it holds all that is on the screen. */
  const whole = useRef<Sop | null>(null);
  /** Asked for while a save was on its way: to save again, and whether to stay. */
  const wish = useRef<boolean | null>(null);
  /** It is saved as a draft, and whoever asked for that goes on with it. */
  const isSubmitted = useRef(false);
  /** What the screen held when it was left; a save may be answered later. */
  const left = useRef<SopForm | null>(null);

  const current = (): SopForm =>
    left.current ?? { ...form.getValues(), markdown: editor.current?.read() ?? form.getValues("markdown") };
  const atEnd = useEffectEvent(current);
  useLayoutEffect(() => {
    left.current = null;
    return () => void (left.current = atEnd());
  }, []);
  const draft = useDraft(
    me.id,
    initial?.id ?? null,
    () =>
      unsaved ? { values: current(), baseVersion: standing.current.version, aiCalls: [...aiCalls.current] } : null,
    // one of an older release may lack fields
    (values) => !sameValues(restored(values, base), valuesOf(base)),
  );

  const edited = (): void => {
    setUnsaved(true);
    // at every key: what is not there is not cleared, which would show the form anew
    if (form.formState.errors.root) form.clearErrors("root");
    draft.keep();
  };
  const uploads = useUploads(edited);
  useEffect(() => {
    return form.subscribe({
      formState: { values: true },
      callback: ({ type }) => {
        if (type === "change") edited();
      },
    });
  });

  /** Puts other values into form and editor. */
  const load = (values: SopForm, version: number | null, isUnsaved: boolean): void => {
    form.reset(values);
    setLoaded((last) => ({ turn: last.turn + 1, markdown: values.markdown }));
    standing.current.version = version;
    setBaseVersion(version);
    setUnsaved(isUnsaved);
    if (isUnsaved) draft.keep();
  };

  const accept = (sop: Sop): void => {
    queryClient.setQueryData(keyOf("sops", "get", { params: { id: sop.id } }), sop);
    standing.current = { sop, version: sop.version };
    setBase(sop);
    setBaseVersion(sop.version);
  };

  /**
   * @param sent what was on the screen then
   * @param isAsked Published was picked
   * @returns whether what was typed since is still to be saved
   */
  const saved = (sop: Sop, sent: SopForm, stay: boolean, isAsked: boolean): boolean => {
    const last = standing.current.sop;
    const unchanged = last !== null && sop.version === last.version && sop.status === last.status;
    const now = current();
    const theirs = valuesOf(sop);
    const touched = ([...settled, "markdown"] as const).filter((field) => now[field] !== sent[field]);
    const differs = uploads.isUnderWay() || touched.some((field) => now[field] !== theirs[field]);
    accept(sop);
    whole.current = differs ? null : sop;
    setConflict(null);
    setSetAside(null);
    for (const field of settled) {
      const isKept = touched.includes(field) || (field === "status" && isAsked && differs);
      if (!isKept) form.setValue(field, theirs[field]);
    }
    const description = differs ? texts.typedSince : unchanged && texts.unchanged;
    const publishes = isAsked && sop.status === "draft" && !differs;
    if (!publishes || !unchanged) {
      toast({
        title: last ? texts.updated : texts.created,
        ...(description && wish.current === null && { description }),
      });
    }
    if (differs) {
      if (!last) draft.moveTo(sop.id);
      draft.keep();
    } else {
      draft.drop();
      setUnsaved(false);
      const isHere = !left.current && !isSubmitted.current;
      if (isHere) (publishes ? onPublish : onSaved)(sop, stay && wish.current !== false);
    }
    return differs && !left.current;
  };

  const failed = async (error: unknown, values: SopForm, sent: SopForm, stay: boolean): Promise<void> => {
    if (error instanceof ApiError && error.code === "stale") {
      // a picture that comes under the window would not be part of mine
      await uploads.arrived();
      const now = current();
      const touched = ([...settled, "markdown"] as const).filter((field) => now[field] !== sent[field]);
      const since = Object.fromEntries(touched.map((field) => [field, now[field]]));
      return setConflict({ mine: { ...values, ...since }, stay });
    }
    // deleted, or taken from me: what is known of it is asked for again
    const known = standing.current.sop;
    if (known && error instanceof ApiError && (error.status === 404 || error.status === 403)) {
      void queryClient.invalidateQueries({ queryKey: keyOf("sops", "get", { params: { id: known.id } }) });
    }
    const title = known ? texts.updateFailed : texts.createFailed;
    const reason = error instanceof ApiError ? messageOf(error, title) : texts.noAnswer;
    toast({ title: texts.error, description: title, variant: "destructive" });
    if (!showUnderFields(error, [...settled, "markdown"], form.setError)) {
      form.setError("root", { message: reason });
    }
  };

  const refuse = (reason: string): false => {
    const title = standing.current.sop ? texts.updateFailed : texts.createFailed;
    toast({ title: texts.error, description: title, variant: "destructive" });
    form.setError("root", { message: reason });
    return false;
  };

  /** What an attempt before made, whose answer got lost; null where the error doesn't say. */
  const madeBefore = async (error: unknown): Promise<Sop | null> => {
    if (!(error instanceof ApiError) || !["conflict", "unprocessable"].includes(error.code ?? "")) return null;
    const { id: made } = (error.details ?? {}) as { id?: unknown };
    if (typeof made !== "string" || standing.current.sop) return null;
    // whatever anybody saved on it since is held against this text
    return client.sops.get({ params: { id: made } }).then(
      (sop) => ({ ...sop, version: 1 }),
      () => null,
    );
  };

  /** @param on what the values are held against: what they leave as it is there is not sent */
  const send = async (values: SopForm, sent: SopForm, stay: boolean, on = standing.current.sop): Promise<boolean> => {
    const hint = values.status === "published" ? hintOf(standing.current.sop, values) : null;
    if (hint?.saves === null) return refuse(hint.text);
    const isAsked = hint?.saves === "published";
    const archives = values.status === "archived" && hintOf(standing.current.sop, values).saves === "archived";
    if (archives && standing.current.sop && !(await askToArchive())) return false;
    // never sent: a save alone never publishes, whatever rights the server knows of by then
    const stored = hint ? { ...values, status: valuesOf(on).status } : values;
    try {
      const { sop: known, version } = standing.current;
      const calls = [...aiCalls.current];
      const body = { ...bodyOf(stored, on), ...(calls.length > 0 && { aiCalls: calls.slice(-limits.aiCalls) }) };
      const sop = known
        ? await update.mutateAsync({ params: { id: known.id }, body, ...(version !== null && { ifMatch: version }) })
        : await create.mutateAsync({ body, idempotencyKey: attempt.current });
      for (const call of calls) aiCalls.current.delete(call);
      return saved(sop, sent, stay, isAsked);
    } catch (error) {
      const made = await madeBefore(error);
      if (made) {
        wish.current ??= stay;
        return saved(made, valuesOf(made), stay, false);
      }
      await failed(error, values, sent, stay);
      return false;
    }
  };

  const saveOnce = async (stay: boolean): Promise<boolean> => {
    // what is submitted is whole, or it is not submitted
    if (uploads.isUnderWay() && !(await uploads.arrived()) && isSubmitted.current) return false;
    form.clearErrors("root");
    const sent = current();
    form.setValue("markdown", sent.markdown);
    let isMore = false;
    await form
      .handleSubmit(
        async (values) => {
          isMore = await send({ ...values, status: isSubmitted.current ? "draft" : values.status }, sent, stay);
        },
        (errors) => {
          const only = Object.keys(errors);
          if (only.length === 1 && only[0] === "markdown") editor.current?.focus();
        },
      )()
      // what checks the form is loaded with the first save, and may be out of reach
      .catch((error: unknown) => failed(error, sent, sent, stay));
    return isMore;
  };

  /** One save at a time: the next stands on the version that this one makes. */
  const inTurn = async (first: () => Promise<boolean>): Promise<void> => {
    saving.current = true;
    try {
      wish.current = null;
      let isMore = await first();
      while (isMore && wish.current !== null) {
        const stay: boolean = wish.current;
        wish.current = null;
        isMore = await saveOnce(stay);
      }
    } finally {
      saving.current = false;
    }
  };

  const save = async (stay: boolean): Promise<void> => {
    if (saving.current) wish.current = stay && wish.current !== false;
    else await inTurn(() => saveOnce(stay));
  };

  /** What is submitted for approval is a draft, whatever status was picked: publication is what the approvers decide. */
  const saveDraft = async (): Promise<Sop | null> => {
    if (saving.current) return null;
    whole.current = null;
    isSubmitted.current = true;
    try {
      await inTurn(() => saveOnce(true));
    } finally {
      isSubmitted.current = false;
    }
    return left.current ? null : whole.current;
  };

  /** The Publish button: what is on the screen is stored first. */
  const publish = async (): Promise<void> => {
    const { sop } = standing.current;
    if (!unsaved && sop?.status === "draft" && !saving.current) return onPublish(sop, false);
    form.setValue("status", "published");
    await save(false);
  };

  return {
    form,
    editor,
    base,
    baseVersion,
    loaded,
    unsaved,
    draft,
    conflict,
    setAside,
    current,
    edited,
    upload: uploads.upload,
    uploadFailed: uploads.failed,
    picturesArrived: uploads.arrived,
    save,
    saveDraft,
    publish,
    assistedBy: (callId: string) => void aiCalls.current.add(callId),
    /** The editor rested: the form holds its text, and complains no longer once there is some. */
    textChanged: (markdown: string) => {
      form.setValue("markdown", markdown);
      if (markdown.trim() !== "") form.clearErrors("markdown");
      draft.keep();
    },
    restoreDraft: () => {
      draft.take();
      aiCalls.current.clear();
      for (const call of draft.found?.aiCalls ?? []) aiCalls.current.add(call);
      if (draft.found) load(restored(draft.found.values, base), draft.found.baseVersion ?? baseVersion, true);
    },
    discardDraft: draft.discard,
    /** The SOP can't be saved any more: what is written waits for the next new one. */
    startAnew: () => {
      form.reset(asNew(current()));
      standing.current = { sop: null, version: null };
      draft.moveTo(null);
    },
    /**
     * Another version of this SOP is the truth now (restored, taken over).
     * @param isUndo what was typed meanwhile stays, and is merged when it is saved
     */
    replace: (sop: Sop, isUndo = false) => {
      if (isUndo && !sameValues(current(), valuesOf(standing.current.sop))) return;
      draft.drop();
      aiCalls.current.clear();
      accept(sop);
      load(valuesOf(sop), sop.version, false);
    },
    /** A new SOP begins with a template's text; the category that was chosen stays. */
    startFrom: ({ title, description, markdown, readTime, categoryId }: TemplateText) => {
      const values = current();
      const category = values.categoryId || (categoryId ?? "");
      load({ ...values, title, description, markdown, readTime, categoryId: category }, null, true);
    },
    bringBack: () => {
      if (setAside) load(setAside, baseVersion, true);
      setSetAside(null);
    },
    resolve: {
      close: () => setConflict(null),
      save: (theirs: Sop, values: SopForm) => {
        accept(theirs);
        load(values, theirs.version, true);
        void inTurn(() => send(values, values, conflict?.stay ?? true, theirs));
      },
      takeTheirs: (theirs: Sop) => {
        setSetAside(conflict?.mine ?? null);
        setConflict(null);
        accept(theirs);
        load(valuesOf(theirs), theirs.version, false);
      },
      edit: (theirs: Sop, values: SopForm) => {
        setConflict(null);
        accept(theirs);
        load(values, theirs.version, true);
      },
    },
    isSaving: uploads.isAwaited || create.isPending || update.isPending,
  };
}

export type SopFormState = ReturnType<typeof useSopForm>;
