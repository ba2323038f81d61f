/** The state of the edit screen: form, editor, the version it all stands on, and the way to save. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "#core/contract/client.ts";
import { newId } from "#core/ids.ts";
import { limits } from "#core/limits.ts";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import { keyOf, messageOf, useWrite } from "../api.ts";
import type { EditorHandle } from "../editor/MarkdownEditor.tsx";
import { useMe } from "../session.tsx";
import type { TemplateText } from "../templates/FromTemplate.tsx";
import { lazyResolver } from "../ui/lazy-resolver.ts";
import { showUnderFields } from "../ui/server-errors.ts";
import { useToast } from "../ui/Toast.tsx";
import { texts } from "./edit-texts.ts";
import { bodyOf, comparedFields, sameValues, valuesOf } from "./edit-values.ts";
import { useDraft } from "./use-draft.ts";

const resolver = lazyResolver<SopForm>(() => import("./edit-resolver.ts").then((module) => module.sopResolver));

interface Conflict {
  mine: SopForm;
  stay: boolean;
}

/** @param category what a new SOP starts in: 'New SOP in Category' names it */
export function useSopForm(initial: Sop | null, category: string, onSaved: (sop: Sop, stay: boolean) => void) {
  const me = useMe();
  const toast = useToast();
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

  const current = (): SopForm => ({
    ...form.getValues(),
    markdown: editor.current?.read() ?? form.getValues("markdown"),
  });
  const draft = useDraft(
    me.id,
    initial?.id ?? null,
    () => (unsaved ? { values: current(), baseVersion, aiCalls: [...aiCalls.current] } : null),
    // one of an older release may lack fields
    (values) => !sameValues({ ...valuesOf(base), ...values }, valuesOf(base)),
  );

  const edited = (): void => {
    setUnsaved(true);
    form.clearErrors("root");
    draft.keep();
  };
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
    setBaseVersion(version);
    setUnsaved(isUnsaved);
    if (isUnsaved) draft.keep();
  };

  const accept = (sop: Sop): void => {
    queryClient.setQueryData(keyOf("sops", "get", { params: { id: sop.id } }), sop);
    setBase(sop);
    setBaseVersion(sop.version);
  };

  const saved = (sop: Sop, stay: boolean): void => {
    const unchanged = base !== null && sop.version === base.version && sop.status === base.status;
    draft.drop();
    aiCalls.current.clear();
    accept(sop);
    setUnsaved(false);
    setConflict(null);
    setSetAside(null);
    for (const field of comparedFields) form.setValue(field, valuesOf(sop)[field]);
    form.setValue("changeNote", "");
    form.setValue("changeClass", "major");
    toast({ title: base ? texts.updated : texts.created, ...(unchanged && { description: texts.unchanged }) });
    onSaved(sop, stay);
  };

  const failed = (error: unknown, values: SopForm, stay: boolean): void => {
    if (error instanceof ApiError && error.code === "stale") return setConflict({ mine: values, stay });
    const title = base ? texts.updateFailed : texts.createFailed;
    const reason = error instanceof ApiError ? messageOf(error, title) : texts.noAnswer;
    toast({ title: texts.error, description: title, variant: "destructive" });
    if (!showUnderFields(error, [...comparedFields, "markdown", "changeNote", "changeClass"], form.setError)) {
      form.setError("root", { message: reason });
    }
  };

  /** @param on what the values are held against: what they leave as it is there is not sent */
  const send = async (values: SopForm, version: number | null, stay: boolean, on = base): Promise<void> => {
    try {
      const calls = [...aiCalls.current].slice(-limits.aiCalls);
      const body = { ...bodyOf(values, on), ...(calls.length > 0 && { aiCalls: calls }) };
      const sop = base
        ? await update.mutateAsync({ params: { id: base.id }, body, ...(version !== null && { ifMatch: version }) })
        : await create.mutateAsync({ body, idempotencyKey: attempt.current });
      saved(sop, stay);
    } catch (error) {
      failed(error, values, stay);
    }
  };

  const save = (stay: boolean): Promise<void> => {
    form.clearErrors("root");
    form.setValue("markdown", current().markdown);
    return form.handleSubmit(
      (values) => send(values, baseVersion, stay),
      (errors) => {
        const only = Object.keys(errors);
        if (only.length === 1 && only[0] === "markdown") editor.current?.focus();
      },
    )();
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
    save,
    assistedBy: (callId: string) => void aiCalls.current.add(callId),
    /** The editor rested: the form holds its text, and complains no longer once there is some. */
    textChanged: (markdown: string) => {
      form.setValue("markdown", markdown);
      if (markdown.trim() !== "") form.clearErrors("markdown");
      draft.keep();
    },
    restoreDraft: () => {
      for (const call of draft.found?.aiCalls ?? []) aiCalls.current.add(call);
      if (draft.found) load({ ...valuesOf(base), ...draft.found.values }, draft.found.baseVersion ?? baseVersion, true);
      draft.answer();
    },
    discardDraft: () => {
      draft.drop();
      draft.answer();
    },
    /** Another version of this SOP is the truth now (restored, taken over). */
    replace: (sop: Sop) => {
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
        void send(values, theirs.version, conflict?.stay ?? true, theirs);
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
    isSaving: create.isPending || update.isPending,
  };
}

export type SopFormState = ReturnType<typeof useSopForm>;
