/** Asks for the category in the dialog before an SOP is first published or submitted, because readers find it there. */
import { useQueryClient } from "@tanstack/react-query";
import type { Sop } from "#core/sops/schema.ts";
import { categoryOptions } from "../../categories/category-options.ts";
import { queryKeyOf, errorMessageOf, useRead, useWrite } from "../../api.ts";
import { useMay } from "../../session.tsx";
import { Field } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { texts } from "./edit-texts.ts";

interface CategoryChoiceProps {
  sop: Sop;
  /** Called after a move, because the new category can have another approval rule. */
  onMoved?(): void;
}

/** Moves a draft to a category at once. This creates no version. */
export function CategoryChoice({ sop: opened, onMoved }: CategoryChoiceProps) {
  const may = useMay();
  const queryClient = useQueryClient();
  const params = { id: opened.id };
  const sop = useRead("sops", "get", { params }).data ?? opened;
  const options = categoryOptions(useRead("categories", "list", {}).data);
  const update = useWrite("sops", "update");
  if (opened.status !== "draft" || opened.published !== null || !may("sop.edit", opened)) return null;
  const moveToCategory = (categoryId: string): void =>
    update.mutate(
      { params, body: { categoryId }, ifMatch: sop.version },
      {
        onSuccess: (moved) => {
          queryClient.setQueryData(queryKeyOf("sops", "get", { params }), moved);
          onMoved?.();
        },
      },
    );
  return (
    <Field label={texts.category} error={update.error ? errorMessageOf(update.error, texts.updateFailed) : undefined}>
      {(control) => (
        <Select
          {...control}
          value={update.isPending ? (update.variables.body?.categoryId ?? "") : (sop.categoryId ?? "")}
          placeholder={texts.categoryPlaceholder}
          disabled={update.isPending}
          onChange={({ target }) => moveToCategory(target.value)}
          options={options}
        />
      )}
    </Field>
  );
}
