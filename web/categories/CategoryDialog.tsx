import { zodResolver } from "@hookform/resolvers/zod";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Controller } from "react-hook-form";
import { useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { sortInNestedOrder, parentProblem } from "#core/categories/rules.ts";
import { CategoryCreate } from "#core/categories/schema.ts";
import { queryKeyOf, useRead, useWrite } from "../api.ts";
import { ApprovalRuleFields } from "../approvals/ApprovalRuleFields.tsx";
import { useMe } from "../session.tsx";
import { CategoryDot } from "../ui/CategoryDot.tsx";
import { Field } from "../ui/Field.tsx";
import { FormDialog } from "../ui/FormDialog.tsx";
import { Input } from "../ui/Input.tsx";
import { numberOrNull } from "../ui/number-field.ts";
import { Select } from "../ui/Select.tsx";
import { Switch } from "../ui/Switch.tsx";
import { useToast } from "../ui/Toast.tsx";
import { useServerForm } from "../use-server-form.ts";
import { categoryBodyOf, categoryFormValuesOf, type Category, type CategoryValues } from "./category-values.ts";
import { dialogTexts as texts } from "./texts.ts";
import { formErrors } from "../form-errors.ts";

/** Validates the form's values by the request body made from them. Returns the values, not the body. */
const CategoryForm = z.custom<CategoryValues>().transform((values, context) => {
  const checked = CategoryCreate.safeParse(categoryBodyOf(values), formErrors);
  for (const { path, message } of checked.error?.issues ?? []) context.addIssue({ code: "custom", path, message });
  return values;
});

const resolver = zodResolver(CategoryForm, formErrors);

const fields = ["name", "parentId", "teamId", "approvalRule.count", "reviewMonths"] as const;
const colors = Object.entries(texts.colors);

interface CategoryDialogProps {
  /** null for a new category. */
  category: Category | null;
  onClose(): void;
  onSaved?(category: Category): void;
}

/** Edits name, color and team of a category, and its rules that replace the company's. */
export function CategoryDialog({ category, onClose, onSaved }: CategoryDialogProps) {
  const { company } = useMe();
  const toast = useToast();
  const queryClient = useQueryClient();
  const teams = useTeamOptions();
  const parents = useParentOptions(category);
  const create = useWrite("categories", "create");
  const update = useWrite("categories", "update");
  const { register, control, formState, watch, submit } = useServerForm<CategoryValues>({
    resolver,
    defaultValues: categoryFormValuesOf(category),
    fields,
    failed: texts.failed,
    send: async (values) => {
      const body = categoryBodyOf(values);
      const saved = category
        ? await update.mutateAsync({ params: { id: category.id }, body })
        : await create.mutateAsync({ body });
      // The list gets the new category at once, because its page looks there before the list is read again.
      queryClient.setQueryData<Category[]>(
        queryKeyOf("categories", "list"),
        (known) => known && withSavedCategory(known, saved),
      );
      toast({ title: category ? texts.updated : texts.created });
      onClose();
      onSaved?.(saved);
    },
  });
  const { errors, isSubmitting } = formState;
  return (
    <FormDialog
      title={category ? texts.editTitle : texts.createTitle}
      submitLabel={category ? texts.update : texts.create}
      busy={isSubmitting}
      error={errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={texts.name} error={errors.name?.message}>
        {(control) => <Input {...control} {...register("name")} autoComplete="off" maxLength={80} />}
      </Field>
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">{texts.color}</legend>
        <div className="grid gap-2 min-[22rem]:grid-cols-2 sm:grid-cols-4">
          {colors.map(([value, label]) => (
            <label
              key={value}
              className="flex min-h-11 items-center gap-2.5 rounded-md border border-line px-3.5 hover:bg-sunken has-checked:border-primary has-checked:bg-primary-soft"
            >
              <input type="radio" value={value} {...register("color")} className="size-4 shrink-0 accent-primary" />
              <CategoryDot color={value} />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      {parents.length > 0 && (
        <Controller
          control={control}
          name="parentId"
          render={({ field }) => (
            <Field label={texts.parent} error={errors.parentId?.message}>
              {(own) => <Select {...own} {...field} options={[{ value: "", label: texts.noParent }, ...parents]} />}
            </Field>
          )}
        />
      )}
      <CategoryRules isOpen={category !== null}>
        <Controller
          control={control}
          name="teamId"
          render={({ field }) => (
            <Field label={texts.team} hint={texts.teamHint} error={errors.teamId?.message}>
              {(own) => <Select {...own} {...field} options={teams} />}
            </Field>
          )}
        />
        <Switch
          {...register("requiresApproval")}
          label={texts.approval}
          hint={company.documentControl === "strict" ? texts.approvalStrict : texts.approvalHint}
        />
        <ApprovalRuleFields
          kind={register("approvalRule.kind")}
          count={register("approvalRule.count", numberOrNull)}
          asksCount={watch("approvalRule.kind") === "n_of_m"}
          countError={errors.approvalRule?.count?.message}
          none={{ value: "company", label: texts.companyRule }}
        />
        <Field label={texts.review} optional hint={texts.reviewHint} error={errors.reviewMonths?.message}>
          {(control) => (
            <Input
              {...control}
              {...register("reviewMonths", numberOrNull)}
              type="number"
              inputMode="numeric"
              min={1}
              className="max-w-28"
            />
          )}
        </Field>
      </CategoryRules>
    </FormDialog>
  );
}

/** The category's own rules for its SOPs. A new category shows them collapsed, because few need them. */
function CategoryRules({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  return (
    <details open={isOpen} className="group border-t border-line">
      <summary className="flex min-h-11 items-center gap-2 text-sm font-medium">
        <ChevronRight aria-hidden className="size-4 text-muted transition-transform group-open:rotate-90" />
        {texts.rules}
      </summary>
      <div className="grid gap-4 pt-2">
        <p className="text-sm text-muted">{texts.description}</p>
        {children}
      </div>
    </details>
  );
}

/** Returns the list with the saved category added or replaced, in the order of the list. */
function withSavedCategory(known: readonly Category[], saved: Category): Category[] {
  const isNew = known.every(({ id }) => id !== saved.id);
  return sortInNestedOrder(isNew ? [...known, saved] : known.map((one) => (one.id === saved.id ? saved : one)));
}

/** Returns the categories that this one can be placed in, as options. */
function useParentOptions(category: Category | null) {
  const categories = useRead("categories", "list", {}).data ?? [];
  return categories
    .filter(({ id }) => parentProblem(categories, category?.id ?? null, id) === null)
    .map(({ id, name }) => ({ value: id, label: name }));
}

function useTeamOptions() {
  const teams = useRead("teams", "list", {}).data ?? [];
  return [{ value: "", label: texts.noTeam }, ...teams.map(({ id, name }) => ({ value: id, label: name }))];
}
