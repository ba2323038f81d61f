/** A new SOP takes the category that fits its title, until the user chooses one. Where none fits, they are asked. */
import { useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { SopForm } from "#core/sops/schema.ts";
import { tagsOf } from "#core/sops/bulk.ts";
import { useClient } from "../../api.ts";

export interface CategoryFirst {
  /** Chooses again if the title changed. */
  fit(): void;
  /** Does this once there is a category, also if the user must name it. */
  before(go: () => void): void;
  /** The question is open. Once it is answered, it waits for what it was asked for. */
  asked: "open" | "answered" | null;
  answer(categoryId: string): void;
  close(): void;
}

/** As many SOPs, the newest, show where related work is. */
const compared = 100;

/** @param current what the screen holds */
export function useCategoryFirst(
  form: UseFormReturn<SopForm>,
  isNew: () => boolean,
  current: () => SopForm,
): CategoryFirst {
  const client = useClient();
  /** What was chosen here, and for which title. */
  const chosen = useRef({ id: "", title: "" });
  const waits = useRef(false);
  const [question, setQuestion] = useState<{ go(): void; isAnswered: boolean } | null>(null);

  const isOpen = (): boolean => isNew() && ["", chosen.current.id].includes(form.getValues("categoryId"));

  const fit = async (): Promise<void> => {
    const { title, description, tags, categoryId } = form.getValues();
    if (!isOpen() || title.trim() === "" || title === chosen.current.title) return;
    try {
      const [{ fittingCategory }, categories, sops] = await Promise.all([
        import("#core/assistant/fitting-category.ts"),
        client.categories.list({}),
        client.sops.list({ query: { limit: compared } }),
      ]);
      // chosen by the user meanwhile
      if (form.getValues("categoryId") !== categoryId) return;
      const id = fittingCategory({ title, description, tags: tagsOf(tags) }, categories, sops.data) ?? "";
      chosen.current = { id, title };
      form.setValue("categoryId", id);
    } catch {
      // the user chooses
    }
  };

  const before = (go: () => void): void => {
    if (!isOpen()) return go();
    if (waits.current) return;
    waits.current = true;
    void fit().then(() => {
      waits.current = false;
      if (isOnlyCategoryMissing(current())) setQuestion({ go, isAnswered: false });
      else go();
    });
  };

  return {
    fit: () => void fit(),
    before,
    asked: question && (question.isAnswered ? "answered" : "open"),
    answer(categoryId) {
      form.setValue("categoryId", categoryId);
      setQuestion((now) => now && { ...now, isAnswered: true });
      question?.go();
    },
    close: () => setQuestion(null),
  };
}

/** Else all that is missing is shown at its place. */
function isOnlyCategoryMissing(values: SopForm): boolean {
  const issues = SopForm.safeParse(values).error?.issues ?? [];
  return issues.length > 0 && issues.every(({ path }) => path[0] === "categoryId");
}
