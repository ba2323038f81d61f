/** Edits words that mean the same to the company, one group per row. A search for one word finds the others too. */
import type { Resolver } from "react-hook-form";
import { readGlossary, writeGlossary, type Glossary } from "#core/companies/glossary.ts";
import { useWrite } from "../../api.ts";
import { Field } from "../../ui/Field.tsx";
import { Textarea } from "../../ui/Textarea.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { useServerForm } from "../../use-server-form.ts";
import { TopicForm } from "./TopicForm.tsx";
import { glossaryTexts as texts } from "./texts.ts";
import { topicTitleOf } from "./topics.ts";
import { spokenText } from "#core/language/catalog.ts";

interface GlossaryValues {
  glossary: string;
}

const glossaryResolver: Resolver<GlossaryValues> = (values) => {
  const { faults } = readGlossary(values.glossary);
  const message = faults.map((fault) => spokenText(fault.message)).join(". ");
  return message === "" ? { values, errors: {} } : { values: {}, errors: { glossary: { type: "rows", message } } };
};

export function GlossaryForm({ glossary, mayChange }: { glossary: Glossary; mayChange: boolean }) {
  const toast = useToast();
  const update = useWrite("company", "update");
  const form = useServerForm<GlossaryValues>({
    resolver: glossaryResolver,
    values: { glossary: writeGlossary(glossary) },
    resetOptions: { keepDirtyValues: true },
    fields: ["glossary"],
    failed: texts.failed,
    send: async (values, form) => {
      const saved = await update.mutateAsync({ body: { settings: { glossary: readGlossary(values.glossary).rows } } });
      form.reset({ glossary: writeGlossary(saved.settings.glossary) }, { keepDirtyValues: false });
      toast({ title: texts.saved });
    },
  });
  const { register } = form;
  const { errors } = form.formState;
  return (
    <TopicForm title={topicTitleOf("glossary")} description={texts.description} form={form} mayChange={mayChange}>
      <Field label={texts.rows} hint={texts.rowsHint} error={errors.glossary?.message}>
        {(props) => <Textarea {...props} {...register("glossary")} rows={12} placeholder={texts.placeholder} />}
      </Field>
    </TopicForm>
  );
}
