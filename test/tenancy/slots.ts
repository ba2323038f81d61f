/** Finds every place of the contract table that takes an id. */
import { fieldsOf, paramNames, type Row } from "../contract-rows.ts";

export interface Slot {
  where: "path" | "query" | "body";
  name: string;
}

const named = /(?:^|[a-z])(?:Id|Ids)$|^(?:id|sha256|category|team|author|owner|user|replace|with)$/;

export function slotsOf(row: Row): Slot[] {
  const path = paramNames(row).filter((name) => name !== "version");
  const query = Object.keys(fieldsOf(row.schema.query)).filter((name) => named.test(name));
  const body = Object.keys(fieldsOf(row.schema.body)).filter((name) => named.test(name));
  return [
    ...path.map((name) => ({ where: "path" as const, name })),
    ...query.map((name) => ({ where: "query" as const, name })),
    ...body.map((name) => ({ where: "body" as const, name })),
  ];
}

/** The kind of record that a path's parameter names: `/api/teams/:id/members/:userId` → team, user. */
export function kindOf(path: string, param: string): string {
  if (param === "userId") return "user";
  if (param === "permissionId") return path.startsWith("/api/sops/") ? "grant" : "userPermission";
  if (param === "sha256") return "asset";
  if (param === "commentId" || param === "parentId") return "comment";
  const kinds: readonly [string, string][] = [
    ["/api/sops/", "sop"],
    ["/api/categories/", "category"],
    ["/api/teams/", "team"],
    ["/api/company/users/", "user"],
    ["/api/company/invitations/", "invitation"],
    ["/api/tokens/", "token"],
    ["/api/sessions/", "session"],
    ["/api/approvals/", "approval"],
    ["/api/notifications/", "notification"],
    ["/api/templates/", "template"],
    ["/api/ai-suggestions/", "suggestion"],
    ["/api/proposals/", "proposal"],
  ];
  const found = kinds.find(([prefix]) => path.startsWith(prefix));
  if (!found) throw new Error(`tell the test what ${param} in ${path} names`);
  return found[1];
}
