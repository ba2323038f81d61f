import { companySizeLabels, companySizes } from "#core/companies/rules.ts";
import { useWrite, type Output } from "../../api.ts";
import { planLabel } from "../plan-label.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { Form } from "../../ui/Form.tsx";
import { Input } from "../../ui/Input.tsx";
import { Select } from "../../ui/Select.tsx";
import { Textarea } from "../../ui/Textarea.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { useServerForm } from "../../use-server-form.ts";
import { profileResolver as resolver, type ProfileValues } from "./company-forms.ts";
import { LogoField } from "./LogoField.tsx";
import { Section } from "./Section.tsx";
import { texts } from "./texts.ts";

type Company = Output<"company", "get">;

const fields = ["name", "description", "website", "industry", "size", "logo"] as const;
const sizeOptions = [
  { value: "", label: texts.sizeUnknown },
  ...companySizes.map((value) => ({ value, label: companySizeLabels[value] })),
];

function valuesOf(company: Company): ProfileValues {
  return {
    name: company.name,
    description: company.description ?? "",
    website: company.website ?? "",
    industry: company.industry ?? "",
    size: companySizes.find((size) => size === company.size) ?? "",
    logo: company.logo ?? "",
  };
}

export function ProfileForm({ company, mayChange }: { company: Company; mayChange: boolean }) {
  const toast = useToast();
  const update = useWrite("company", "update");
  const { register, formState, setValue, watch, submit } = useServerForm<ProfileValues>({
    resolver,
    // others' saved changes are shown, except in fields that are being changed here
    values: valuesOf(company),
    resetOptions: { keepDirtyValues: true },
    fields,
    failed: texts.profileFailed,
    send: async (values, form) => {
      const saved = await update.mutateAsync({ body: values });
      form.reset(valuesOf(saved));
      toast({ title: texts.profileSaved });
    },
  });
  const { errors, isSubmitting } = formState;
  return (
    <Section title={texts.profile} description={planOf(company)}>
      <Form onSubmit={submit} error={errors.root?.message} label={texts.profile}>
        <fieldset disabled={!mayChange} className="grid gap-4 sm:grid-cols-2">
          <div className="sm:col-span-2">
            <LogoField
              value={watch("logo") ?? ""}
              error={errors.logo?.message}
              disabled={!mayChange}
              onChange={(logo) => setValue("logo", logo, { shouldDirty: true })}
            />
          </div>
          <Field label={texts.name} error={errors.name?.message}>
            {(control) => <Input {...control} {...register("name")} autoComplete="organization" />}
          </Field>
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
            {(control) => <Select {...control} {...register("size")} options={sizeOptions} />}
          </Field>
          <div className="sm:col-span-2">
            <Field label={texts.description} optional error={errors.description?.message}>
              {(control) => <Textarea {...control} {...register("description")} maxLength={2000} />}
            </Field>
          </div>
        </fieldset>
        {mayChange && <SaveButton busy={isSubmitting} />}
      </Form>
    </Section>
  );
}

export function SaveButton({ busy }: { busy: boolean }) {
  return (
    <div>
      <Button type="submit" variant="primary" busy={busy}>
        {texts.save}
      </Button>
    </div>
  );
}

function planOf({ subscription, userCount, maxUsers, sopCount, maxSOPs, assetBytes, maxBytes }: Company): string {
  const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);
  const files = usage(megabytes(assetBytes), megabytes(maxBytes));
  return texts.plan(
    planLabel(subscription),
    `${usage(userCount, maxUsers)} users`,
    `${usage(sopCount, maxSOPs)} SOPs`,
    `${files} MB of files`,
  );
}

function usage(used: number, of: number): string {
  return `${used.toLocaleString("en")} of ${of.toLocaleString("en")}`;
}
