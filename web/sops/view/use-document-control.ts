import { documentControlOf, type DocumentControl } from "#core/sops/rules.ts";
import { useRead } from "../../api.ts";
import { useMe } from "../../session.tsx";

/** Returns a function from a category to the facts that the server requires before an SOP in it is published. */
export function useDocumentControls(): (categoryId: string | null) => DocumentControl {
  const { company } = useMe();
  const categories = useRead("categories", "list", {});
  return (categoryId) =>
    documentControlOf(
      company.documentControl === "flexible" ? "flexible" : "strict",
      categories.data?.find(({ id }) => id === categoryId),
    );
}
