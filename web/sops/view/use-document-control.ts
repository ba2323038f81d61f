import { documentControlOf, type DocumentControl } from "#core/sops/rules.ts";
import { useRead } from "../../api.ts";
import { useMe } from "../../session.tsx";

/** What the server requires before an SOP is published, by category. */
export function useDocumentControls(): (categoryId: string | null) => DocumentControl {
  const { company } = useMe();
  const categories = useRead("categories", "list", {});
  return (categoryId) =>
    documentControlOf(
      company.documentControl === "flexible" ? "flexible" : "strict",
      categories.data?.find(({ id }) => id === categoryId),
    );
}
