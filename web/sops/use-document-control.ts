import { controlOf, type DocumentControl } from "#core/sops/rules.ts";
import { useRead } from "../api.ts";
import { useMe } from "../session.tsx";

/** What the server will ask for before an SOP of this category comes into force. */
export function useDocumentControl(categoryId: string | null): DocumentControl {
  const { company } = useMe();
  const categories = useRead("categories", "list", {});
  const category = categories.data?.find(({ id }) => id === categoryId);
  return controlOf(company.documentControl === "flexible" ? "flexible" : "strict", category);
}
