/** Asks for the category of a new SOP if none fits its title: one from the list, or a new one by its name. */
import { useState, type FormEvent } from "react";
import { catalog } from "#core/language/catalog.ts";
import { errorMessageOf, useWrite } from "../../api.ts";
import { useMay } from "../../session.tsx";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { Select, type SelectOption } from "../../ui/Select.tsx";
import { texts as formTexts } from "./edit-texts.ts";

const texts = catalog("sops.edit.category-question", {
  title: "Which category is it in?",
  orName: "Or a new category",
  name: "New category",
  missing: "Choose a category",
  missingName: "Enter a name",
  next: "Continue",
  cancel: "Cancel",
  failed: "Couldn't create the category. Try again.",
});

interface CategoryQuestionProps {
  categories: readonly SelectOption[];
  /** True if the user has answered and the next step is in progress. */
  isAnswered: boolean;
  onChosen(categoryId: string): void;
  onClose(): void;
}

const formId = "category-question";

export function CategoryQuestion({ categories, isAnswered, onChosen, onClose }: CategoryQuestionProps) {
  const may = useMay();
  const create = useWrite("categories", "create");
  const canCreate = may("category.write");
  // No category fits the title, so none is preselected.
  const [id, setId] = useState("");
  const [name, setName] = useState("");
  const [isMissing, setMissing] = useState(false);
  const chooseCategory = (chosen: { id: string; name: string }): void => {
    setId(chosen.id);
    setName(chosen.name);
    setMissing(false);
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isAnswered) return;
    const named = name.trim();
    if (id !== "") return onChosen(id);
    if (named === "") {
      event.currentTarget.querySelector<HTMLElement>("select, input")?.focus();
      return setMissing(true);
    }
    create.mutate({ body: { name: named } }, { onSuccess: (category) => onChosen(category.id) });
  };
  const isNameMissing = isMissing && categories.length === 0;
  const failed = create.error ? errorMessageOf(create.error, texts.failed) : undefined;
  const nameError = isNameMissing ? texts.missingName : failed;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !isAnswered && onClose()}
      size="sm"
      title={texts.title}
      startsInField
      footer={
        <>
          <Button onClick={onClose} disabled={isAnswered}>
            {texts.cancel}
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            disabled={categories.length === 0 && !canCreate}
            busy={create.isPending || isAnswered}
          >
            {texts.next}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="grid gap-4">
        {categories.length > 0 && (
          <Field label={formTexts.category} error={isMissing ? texts.missing : undefined}>
            {(control) => (
              <Select
                {...control}
                value={id}
                placeholder={formTexts.categoryPlaceholder}
                onChange={({ target }) => chooseCategory({ id: target.value, name: "" })}
                options={categories}
              />
            )}
          </Field>
        )}
        {canCreate && (
          <Field label={categories.length > 0 ? texts.orName : texts.name} error={nameError}>
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                maxLength={80}
                value={name}
                onChange={({ target }) => chooseCategory({ id: "", name: target.value })}
              />
            )}
          </Field>
        )}
      </form>
    </Dialog>
  );
}
