/** Lists users with filters, a table and a menu of actions for each. */
import { Users } from "lucide-react";
import { useMemo, useState } from "react";
import { assignableRoles, type Role, roleLabel } from "#core/permissions/roles.ts";
import { userStatuses, statusAfterToggle } from "#core/users/rules.ts";
import type { User } from "#core/users/schema.ts";
import { useMay, useMe } from "../session.tsx";
import { Button } from "../ui/Button.tsx";
import { DataTable } from "../ui/DataTable.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Select } from "../ui/Select.tsx";
import { usePages } from "../use-pages.ts";
import { useUrlFilters } from "../use-url-filters.ts";
import { texts, statusTexts } from "./texts.ts";
import { userColumns } from "./user-columns.tsx";
import type { UserScope } from "./user-scope.ts";
import type { UserToConfirm } from "./UserConfirmDialog.tsx";
import { useUserActions } from "./use-user-actions.ts";
import { selectOptionsOf } from "../ui/options.ts";

const UserConfirmDialog = lazyPart(() => import("./UserConfirmDialog.tsx").then((module) => module.UserConfirmDialog));
const UserPermissionsDialog = lazyPart(() =>
  import("../permissions/UserPermissionsDialog.tsx").then((module) => module.UserPermissionsDialog),
);
const OneTimeLinkDialog = lazyPart(() =>
  import("../ui/OneTimeLinkDialog.tsx").then((module) => module.OneTimeLinkDialog),
);
const UserDialog = lazyPart(() => import("./UserDialog.tsx").then((module) => module.UserDialog));

const unset: UserFilterValues = { search: "", role: "all", status: "active" };
const filterChoicesOf = (role: Role) => ({ role: ["all", ...assignableRoles(role)], status: ["all", ...userStatuses] });

/** Returns the query for the server. Leaves out role and status if they are 'all'. */
function userQueryOf(
  { search, role, status }: UserFilterValues,
  companyId: string | undefined,
): Record<string, string> {
  return {
    ...(search.trim() && { search: search.trim() }),
    ...(role !== "all" && { role }),
    ...(status !== "all" && { status }),
    ...(companyId !== undefined && { companyId }),
    total: "true",
  };
}

interface UserListProps {
  scope: UserScope;
  creating: boolean;
  onCreatingChange(creating: boolean): void;
}

export function UserList({ scope, creating, onCreatingChange }: UserListProps) {
  const me = useMe();
  const { filters, set, clear, isFiltered } = useUrlFilters(
    unset,
    useMemo(() => filterChoicesOf(me.role), [me.role]),
  );
  const list = usePages(scope.group, userQueryOf(filters, scope.companyId));
  const actions = useUserActions(scope);
  const [edited, setEdited] = useState<User | null>(null);
  const [toConfirm, setToConfirm] = useState<UserToConfirm | null>(null);
  const [permissions, setPermissions] = useState<User | null>(null);
  const may = useMay();
  const columns = userColumns({
    me,
    withCompany: scope.group === "adminUsers" && scope.companyId === undefined,
    onEdit: setEdited,
    onResetPassword: (user) => void actions.resetPassword(user),
    onSwitchStatus: (user) =>
      statusAfterToggle(user.status) === "active"
        ? void actions.activate(user)
        : setToConfirm({ verb: "suspend", user }),
    onRemove: (user) => setToConfirm({ verb: "remove", user }),
    ...(may("company.settings") && { onPermissions: setPermissions }),
  });
  return (
    <div className="grid gap-4">
      <DataTable
        list={list}
        filters={<UserFilters filters={filters} set={set} />}
        columns={columns}
        isMuted={({ status }) => status === "deleted"}
        texts={{
          label: texts.table,
          loading: texts.loading,
          failed: texts.failed,
          count: (rows, hasMore) => userCountText(list.total ?? rows, hasMore && list.total === undefined),
        }}
        empty={
          <EmptyState
            icon={<Users />}
            title={texts.empty}
            {...(isFiltered && {
              hint: texts.emptyFiltered,
              action: <Button onClick={clear}>{texts.clear}</Button>,
            })}
          />
        }
      />
      {(creating || edited) && (
        <UserDialog
          scope={scope}
          user={edited}
          onLink={actions.setLink}
          onClose={() => {
            setEdited(null);
            onCreatingChange(false);
          }}
        />
      )}
      {permissions && <UserPermissionsDialog user={permissions} onClose={() => setPermissions(null)} />}
      {toConfirm && (
        <UserConfirmDialog
          subject={toConfirm}
          busy={actions.removing || actions.changing}
          carryOut={() => actions[toConfirm.verb](toConfirm.user)}
          onClose={() => setToConfirm(null)}
        />
      )}
      {actions.link && (
        <OneTimeLinkDialog
          title={texts.linkTitle}
          description={`${actions.link.unsent ? texts.unsent[actions.link.unsent] : texts.noAddress({ name: actions.link.user.name })} ${texts.linkText}`}
          link={actions.link.link}
          onClose={() => actions.setLink(null)}
        />
      )}
    </div>
  );
}

function userCountText(count: number, hasMore: boolean): string {
  return `${count}${hasMore ? "+" : ""} ${count === 1 ? "user" : "users"}`;
}

type UserFilterValues = { search: string; role: string; status: string };

interface UserFiltersProps {
  filters: UserFilterValues;
  set(change: Partial<UserFilterValues>): void;
}

/** Filters by role (only roles that the viewer can assign) and status. */
function UserFilters({ filters, set }: UserFiltersProps) {
  const { role } = useMe();
  const roleOptions = [
    { value: "all", label: texts.allRoles },
    ...assignableRoles(role).map((value) => ({ value, label: roleLabel(value) })),
  ];
  return (
    <section aria-label={texts.filters} className="-ml-3 flex flex-wrap gap-1">
      <Select
        quiet
        aria-label={texts.role}
        options={roleOptions}
        value={filters.role}
        onChange={(event) => set({ role: event.target.value })}
      />
      <Select
        quiet
        aria-label={texts.status}
        options={selectOptionsOf(statusTexts)}
        value={filters.status}
        onChange={(event) => set({ status: event.target.value })}
      />
    </section>
  );
}
