/** Gives a new SOP the category that fits its title until the user chooses one. If none fits, the user is asked. */
import { useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { SopForm } from "#core/sops/schema.ts";
import { parseTagList } from "#core/sops/bulk.ts";
import { useClient } from "../../api.ts";

export interface CategoryFirst {
  /** Chooses a category again if the title has changed. */
  suggest(): void;
  /** Calls `go` once the SOP has a category. It asks the user for one if none is suggested. */
  runWithCategory(go: () => void): void;
  /** The state of the question. It stays "answered" until the action that needed the category is done. */
  question: "open" | "answered" | null;
  answer(categoryId: string): void;
  close(): void;
}

/** The number of newest SOPs to search for similar SOPs, because the category of similar SOPs fits. */
const newestSopsCompared = 100;

/** @param current returns the screen's current values */
export function useCategoryFirst(
  form: UseFormReturn<SopForm>,
  isNew: () => boolean,
  current: () => SopForm,
): CategoryFirst {
  const client = useClient();
  /** The category chosen here, and the title that it was chosen for. */
  const chosen = useRef({ id: "", title: "" });
  const waits = useRef(false);
  const [question, setQuestion] = useState<{ go(): void; isAnswered: boolean } | null>(null);

  const isOpen = (): boolean => isNew() && ["", chosen.current.id].includes(form.getValues("categoryId"));

  const suggestCategory = async (): Promise<void> => {
    const { title, description, tags, categoryId } = form.getValues();
    if (!isOpen() || title.trim() === "" || title === chosen.current.title) return;
    try {
      const [{ fittingCategoryId }, categories, sops] = await Promise.all([
        import("#core/assistant/fitting-category.ts"),
        client.categories.list({}),
        client.sops.list({ query: { limit: newestSopsCompared } }),
      ]);
      // The user has chosen a category in the meantime.
      if (form.getValues("categoryId") !== categoryId) return;
      const id = fittingCategoryId({ title, description, tags: parseTagList(tags) }, categories, sops.data) ?? "";
      chosen.current = { id, title };
      form.setValue("categoryId", id);
    } catch {
      // If the search fails, the user chooses the category.
    }
  };

  const askCategoryFirst = (go: () => void): void => {
    if (!isOpen()) return go();
    if (waits.current) return;
    waits.current = true;
    void suggestCategory().then(() => {
      waits.current = false;
      if (isOnlyCategoryMissing(current())) setQuestion({ go, isAnswered: false });
      else go();
    });
  };

  return {
    suggest: () => void suggestCategory(),
    runWithCategory: askCategoryFirst,
    question: question && (question.isAnswered ? "answered" : "open"),
    answer(categoryId) {
      form.setValue("categoryId", categoryId);
      setQuestion((now) => now && { ...now, isAnswered: true });
      question?.go();
    },
    close: () => setQuestion(null),
  };
}

/** Says whether only the category is missing. Otherwise all missing fields are marked. */
function isOnlyCategoryMissing(values: SopForm): boolean {
  const issues = SopForm.safeParse(values).error?.issues ?? [];
  return issues.length > 0 && issues.every(({ path }) => path[0] === "categoryId");
}
