import { Controller, type Control, type FieldErrors, type UseFormRegister } from "react-hook-form";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import type { Submitting } from "../../approvals/EditApproval.tsx";
import { Card } from "../../ui/Card.tsx";
import { Field } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { Select, type Option } from "../../ui/Select.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { Textarea } from "../../ui/Textarea.tsx";
import { ControlFields } from "./ControlFields.tsx";
import { texts } from "./edit-texts.ts";
import { StatusPanel } from "./StatusPanel.tsx";

interface FieldsProps {
  register: UseFormRegister<SopForm>;
  errors: FieldErrors<SopForm>;
}

export function TitleFields({ register, errors }: FieldsProps) {
  return (
    <div className="grid gap-4">
      <Field label={texts.title} error={errors.title?.message}>
        {(control) => (
          <Input {...control} {...register("title")} maxLength={200} placeholder={texts.titlePlaceholder} />
        )}
      </Field>
      <Field label={texts.description} hint={texts.descriptionHint} error={errors.description?.message}>
        {(control) => <Textarea {...control} {...register("description")} rows={2} maxLength={2000} />}
      </Field>
    </div>
  );
}

/** Said while readers have the published version in another category than the draft. */
function readersStay(sop: Sop | null, categories: readonly Option[]): string | undefined {
  if (!sop?.published || sop.publishedCategoryId === sop.categoryId) return undefined;
  const name = categories.find(({ value }) => value === sop.publishedCategoryId)?.label;
  return name && `Readers keep version ${sop.published.version} in ${name} until this draft is published.`;
}

interface DetailsProps extends FieldsProps {
  control: Control<SopForm>;
  sop: Sop | null;
  unsaved: boolean;
  saving: Submitting;
  categories: readonly Option[];
}

export function DetailFields({ register, errors, control, sop, unsaved, saving, categories }: DetailsProps) {
  return (
    <>
      <StatusPanel control={control} sop={sop} unsaved={unsaved} saving={saving} error={errors.status?.message} />
      <Card className="grid gap-4 p-4">
        <h2 className="font-semibold">{texts.details}</h2>
        <Controller
          control={control}
          name="categoryId"
          render={({ field }) => (
            <Field label={texts.category} hint={readersStay(sop, categories)} error={errors.categoryId?.message}>
              {(own) => <Select {...own} {...field} options={categories} placeholder={texts.categoryPlaceholder} />}
            </Field>
          )}
        />
        <Field label={texts.readTime} error={errors.readTime?.message}>
          {(own) => (
            <Input
              {...own}
              {...register("readTime", { valueAsNumber: true })}
              type="number"
              inputMode="numeric"
              min={1}
              step={1}
            />
          )}
        </Field>
        <Switch label={texts.template} hint={texts.templateHint} {...register("isTemplate")} />
        <Field label={texts.changeNote} optional error={errors.changeNote?.message}>
          {(own) => (
            <Textarea
              {...own}
              {...register("changeNote")}
              rows={2}
              maxLength={2000}
              placeholder={texts.changeNotePlaceholder}
            />
          )}
        </Field>
      </Card>
      <ControlFields register={register} errors={errors} control={control} sop={sop} />
    </>
  );
}
