/** Words with the same meaning to the company, a row a line: a search for one finds the others. */
import type { Resolver } from "react-hook-form";
import { readGlossary, writeGlossary, type Glossary } from "#core/companies/glossary.ts";
import { useWrite } from "../../api.ts";
import { Field } from "../../ui/Field.tsx";
import { Form } from "../../ui/Form.tsx";
import { Textarea } from "../../ui/Textarea.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { useServerForm } from "../../use-server-form.ts";
import { SaveButton } from "./ProfileForm.tsx";
import { Section } from "./Section.tsx";
import { glossaryTexts as texts } from "./texts.ts";

interface GlossaryValues {
  glossary: string;
}

const resolver: Resolver<GlossaryValues> = (values) => {
  const { faults } = readGlossary(values.glossary);
  const message = faults.map((fault) => fault.message).join(". ");
  return message === "" ? { values, errors: {} } : { values: {}, errors: { glossary: { type: "rows", message } } };
};

export function GlossaryForm({ glossary, mayChange }: { glossary: Glossary; mayChange: boolean }) {
  const toast = useToast();
  const update = useWrite("company", "update");
  const { register, formState, submit } = useServerForm<GlossaryValues>({
    resolver,
    values: { glossary: writeGlossary(glossary) },
    resetOptions: { keepDirtyValues: true },
    fields: ["glossary"],
    failed: texts.failed,
    send: async (values, form) => {
      const saved = await update.mutateAsync({ body: { settings: { glossary: readGlossary(values.glossary).rows } } });
      form.reset({ glossary: writeGlossary(saved.settings.glossary) });
      toast({ title: texts.saved });
    },
  });
  const { errors, isSubmitting } = formState;
  return (
    <Section title={texts.title} description={texts.description}>
      <Form onSubmit={submit} error={errors.root?.message} label={texts.title}>
        <fieldset disabled={!mayChange}>
          <Field label={texts.rows} hint={texts.rowsHint} error={errors.glossary?.message}>
            {(props) => <Textarea {...props} {...register("glossary")} rows={6} placeholder={texts.placeholder} />}
          </Field>
        </fieldset>
        {mayChange && <SaveButton busy={isSubmitting} />}
      </Form>
    </Section>
  );
}
