import type { DocumentControl } from "#core/sops/rules.ts";
import { useRead } from "../api.ts";
import { useMe } from "../session.tsx";

/** A category that asks for approval is strict whatever its company is. */
export function useDocumentControl(categoryId: string | null): DocumentControl {
  const { company } = useMe();
  const categories = useRead("categories", "list", {});
  const category = categories.data?.find(({ id }) => id === categoryId);
  return company.documentControl === "flexible" && !category?.requiresApproval ? "flexible" : "strict";
}
