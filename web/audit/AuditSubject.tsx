import { Link } from "react-router-dom";
import type { RoleAction } from "#core/permissions/actions.ts";
import { useMay } from "../session.tsx";
import type { AuditRow } from "./audit-row.ts";

/** The page of each kind of record. `needs` is the permission to open the page; absent if all users can. */
const recordPages: Readonly<Record<string, { to(row: AuditRow, name: string): string; needs?: RoleAction }>> = {
  sop: { to: ({ entityId }) => `/sop/${entityId}` },
  category: { to: ({ entityId }) => `/category/${entityId}` },
  team: { to: () => "/admin/teams" },
  user: {
    to: (_row, name) => `/admin/users?${new URLSearchParams({ search: name, status: "all" })}`,
    needs: "user.manage",
  },
  invitation: { to: () => "/admin/users", needs: "user.manage" },
  company: { to: () => "/admin/company", needs: "company.settings" },
};

/** The name of an entry's record, as a link if the user can open a page with the record. */
export function AuditSubject({ row, name }: { row: AuditRow; name: string | undefined }) {
  const may = useMay();
  if (name === undefined) return null;
  const place = row.entityId === null || row.action.endsWith(".delete") ? undefined : recordPages[row.entityType];
  if (!place || (place.needs && !may(place.needs))) return name;
  return (
    // The link is above the click target of the row.
    <Link
      to={place.to(row, name)}
      className="relative z-1 text-text underline decoration-line underline-offset-2 hover:decoration-current"
    >
      {name}
    </Link>
  );
}
