/** Asked before a new SOP is stored, where no category fits its title: one of the list, or a new one by its name. */
import { useState, type FormEvent } from "react";
import { messageOf, useWrite } from "../../api.ts";
import { useMay } from "../../session.tsx";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { Select, type Option } from "../../ui/Select.tsx";
import { texts as formTexts } from "./edit-texts.ts";

const texts = {
  title: "Which category is it in?",
  name: "Or a new category",
  next: "Continue",
  cancel: "Cancel",
  failed: "Couldn't create the category. Try again.",
} as const;

interface CategoryQuestionProps {
  categories: readonly Option[];
  onChosen(categoryId: string): void;
  onClose(): void;
}

const formId = "category-question";

export function CategoryQuestion({ categories, onChosen, onClose }: CategoryQuestionProps) {
  const may = useMay();
  const create = useWrite("categories", "create");
  // the daily work comes first
  const [id, setId] = useState(categories[0]?.value ?? "");
  const [name, setName] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const named = name.trim();
    if (named === "") return onChosen(id);
    create.mutate({ body: { name: named } }, { onSuccess: (category) => onChosen(category.id) });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={texts.title}
      startsInField
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            disabled={id === "" && name.trim() === ""}
            busy={create.isPending}
          >
            {texts.next}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="grid gap-4">
        {categories.length > 0 && (
          <Field label={formTexts.category}>
            {(control) => (
              <Select {...control} value={id} onChange={({ target }) => setId(target.value)} options={categories} />
            )}
          </Field>
        )}
        {may("category.write") && (
          <Field label={texts.name} optional error={create.error ? messageOf(create.error, texts.failed) : undefined}>
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                maxLength={80}
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
        )}
      </form>
    </Dialog>
  );
}
