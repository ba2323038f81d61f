import { documentControlOf, type DocumentControl } from "#core/sops/rules.ts";
import { useRead } from "../../api.ts";
import { useMe } from "../../session.tsx";

/** Returns a function from a category's id to the rules for publishing SOPs of that category. */
export function useDocumentControls(): (categoryId: string | null) => DocumentControl {
  const { company } = useMe();
  const categories = useRead("categories", "list", {});
  return (categoryId) =>
    documentControlOf(
      company.documentControl === "flexible" ? "flexible" : "strict",
      categories.data?.find(({ id }) => id === categoryId),
    );
}
