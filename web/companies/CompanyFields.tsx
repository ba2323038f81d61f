import { useEffect, useRef } from "react";
import type { UseFormReturn } from "react-hook-form";
import { companyDefaults } from "#core/companies/rules.ts";
import type { Company } from "#core/companies/schema.ts";
import { isSpelledBySlug, latinSlug } from "#core/repository/names.ts";
import { useMe } from "../session.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Select } from "../ui/Select.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import type { CompanyValues } from "./company-form.ts";
import { formTexts as texts, sizeOptions, statusOptions, subscriptionOptions } from "./form-texts.ts";
import { numberText } from "#core/language/formats.ts";

interface CompanyFieldsProps {
  form: UseFormReturn<CompanyValues>;
  company: Company | null;
}

export function CompanyFields({ form, company }: CompanyFieldsProps) {
  const { register, formState, setValue, getFieldState } = form;
  const { errors } = formState;
  const first = useRef<HTMLDivElement>(null);
  // The first field takes the focus, because the dialog itself would focus its Close button.
  useEffect(() => first.current?.querySelector("input")?.focus(), []);
  /** Fills in the slug of a new company from the company's name until the user edits the slug. */
  const suggestSlug = (name: string) => {
    if (company || getFieldState("slug").isDirty) return;
    setValue("slug", isSpelledBySlug(name) ? latinSlug(name) : "");
  };
  const name = register("name", {
    onChange: (event: { target: { value: string } }) => suggestSlug(event.target.value),
  });
  return (
    <div ref={first} className="grid items-start gap-4 sm:grid-cols-2">
      <Field label={texts.name} error={errors.name?.message}>
        {(control) => <Input {...control} {...name} autoComplete="off" />}
      </Field>
      <Field label={texts.slug} hint={texts.slugHint} error={errors.slug?.message}>
        {(control) => (
          <Input {...control} {...register("slug")} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        )}
      </Field>
      <div className="sm:col-span-2">
        <Field label={texts.description} optional error={errors.description?.message}>
          {(control) => <Textarea {...control} {...register("description")} rows={2} maxLength={2000} />}
        </Field>
      </div>
      <Field label={texts.website} optional error={errors.website?.message}>
        {(control) => (
          <Input
            {...control}
            {...register("website")}
            type="url"
            placeholder={texts.websitePlaceholder}
            autoComplete="off"
          />
        )}
      </Field>
      <Field label={texts.industry} optional error={errors.industry?.message}>
        {(control) => <Input {...control} {...register("industry")} autoComplete="off" />}
      </Field>
      <Field label={texts.size} error={errors.size?.message}>
        {(control) => <Select {...control} {...register("size")} options={sizeOptions()} />}
      </Field>
      <Field label={texts.subscription} error={errors.subscription?.message}>
        {(control) => <Select {...control} {...register("subscription")} options={subscriptionOptions()} />}
      </Field>
      <QuotaField form={form} field="maxUsers" label={texts.maxUsers} taken={company?.userCount} />
      <QuotaField form={form} field="maxSOPs" label={texts.maxSOPs} taken={company?.sopCount} />
      <StorageLimitField form={form} company={company} />
      <StatusField form={form} company={company} />
    </div>
  );
}

interface QuotaFieldProps {
  form: UseFormReturn<CompanyValues>;
  field: "maxUsers" | "maxSOPs";
  label: string;
  /** The number in use; undefined for a new company. */
  taken: number | undefined;
}

function QuotaField({ form: { register, formState }, field, label, taken }: QuotaFieldProps) {
  return (
    <Field
      label={label}
      hint={taken === undefined ? texts.default({ amount: companyDefaults[field] }) : texts.inUse({ taken })}
      error={formState.errors[field]?.message}
    >
      {(control) => (
        <Input {...control} {...register(field, { valueAsNumber: true })} type="number" inputMode="numeric" min={1} />
      )}
    </Field>
  );
}

const megabyte = 2 ** 20;

function StorageLimitField({ form: { setValue, formState }, company }: CompanyFieldsProps) {
  const used = company && numberText(Math.ceil(company.assetBytes / megabyte));
  return (
    <Field
      label={texts.maxBytes}
      hint={used === null ? texts.maxBytesHint : texts.mbInUse({ used })}
      error={formState.errors.maxBytes?.message}
    >
      {(control) => (
        <Input
          {...control}
          type="number"
          inputMode="numeric"
          step="any"
          min={1}
          defaultValue={company ? company.maxBytes / megabyte : undefined}
          onChange={({ target: { value } }) =>
            setValue("maxBytes", value === "" ? undefined : Math.round(Number(value) * megabyte))
          }
        />
      )}
    </Field>
  );
}

function StatusField({ form: { register, formState }, company }: CompanyFieldsProps) {
  const isOwn = useMe().companyId === company?.id;
  return (
    <Field
      label={texts.status}
      hint={isOwn ? texts.ownStatus : texts.suspendText}
      error={formState.errors.status?.message}
    >
      {(control) => <Select {...control} {...register("status")} options={statusOptions()} disabled={isOwn} />}
    </Field>
  );
}
