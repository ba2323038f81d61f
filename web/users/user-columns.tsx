/** The columns of the users screen. */
import { CirclePause, CirclePlay, KeyRound, Pencil, ShieldCheck, Trash2 } from "lucide-react";
import { roleLabel, assignableRoles } from "#core/permissions/roles.ts";
import type { Me } from "#core/sign-in/schema.ts";
import type { User } from "#core/users/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { AccountStatus } from "../ui/AccountBadges.tsx";
import { Avatar } from "../ui/Avatar.tsx";
import type { Column } from "../ui/DataTable.tsx";
import { RowMenu, type RowAction } from "../ui/RowMenu.tsx";
import { dateText } from "../ui/time.ts";
import { texts } from "./texts.ts";

interface RowActions {
  onEdit(user: User): void;
  onResetPassword(user: User): void;
  onSwitchStatus(user: User): void;
  onRemove(user: User): void;
  /** Absent if the viewer can't set users' permissions. */
  onPermissions?: (user: User) => void;
}

interface UserColumnsOptions extends RowActions {
  me: Me;
  /** True if the list has users of several companies, so that it needs a column for the company. */
  withCompany: boolean;
}

export function userColumns({ me, withCompany, ...on }: UserColumnsOptions): Column<User>[] {
  return [
    {
      header: texts.user,
      isName: true,
      cell: (user) => <UserNameCell user={user} me={me} withCompany={withCompany} />,
    },
    { header: texts.contact, cell: ({ email, phone }) => <TwoTextCell first={email} second={phone} /> },
    { header: texts.department, cell: ({ department, title }) => <TwoTextCell first={department} second={title} /> },
    { header: texts.role, cell: ({ role }) => <span className="whitespace-nowrap">{roleLabel(role)}</span> },
    { header: texts.status, cell: ({ status }) => <AccountStatus status={status} /> },
    {
      header: texts.lastLogin,
      isLabelled: true,
      cell: ({ lastLoginAt }) => (
        <span className="whitespace-nowrap">{lastLoginAt === null ? texts.never : dateText(lastLoginAt)}</span>
      ),
    },
    {
      header: texts.actions,
      isMenu: true,
      cell: (user) => (
        <RowMenu label={texts.actionsFor({ user: printedName(user) })} actions={userActionsOf(user, me, on)} />
      ),
    },
  ];
}

function UserNameCell({ user, me, withCompany }: { user: User; me: Me; withCompany: boolean }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Avatar initials={user.initials} image={user.avatar} size="sm" />
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className="font-medium wrap-anywhere">
          {user.name}
          {user.id === me.id && <span className="font-normal text-muted"> {texts.you}</span>}
        </span>
        <span className="text-t2 break-all text-muted">@{user.username}</span>
        {withCompany && user.company && <span className="text-t2 text-muted wrap-anywhere">{user.company.name}</span>}
      </span>
    </span>
  );
}

function TwoTextCell({ first, second }: { first: string | null; second: string | null }) {
  if (!first && !second) return <span data-none>{texts.none}</span>;
  return (
    <span className="flex min-w-0 flex-wrap gap-x-2">
      {first && <span className="text-text wrap-anywhere">{first}</span>}
      {second && <span className="wrap-anywhere">{second}</span>}
    </span>
  );
}

function userActionsOf(user: User, me: Me, on: RowActions): RowAction[] {
  const refusals = userActionRefusals(me, user);
  const isActive = user.status === "active";
  const actions: RowAction[] = [
    {
      label: texts.edit,
      icon: <Pencil aria-hidden />,
      refusal: refusals.edit,
      onSelect: () => on.onEdit(user),
    },
    {
      label: texts.resetPassword,
      icon: <KeyRound aria-hidden />,
      refusal: refusals.resetPassword,
      onSelect: () => on.onResetPassword(user),
    },
    {
      label: isActive ? texts.suspend : texts.activate,
      icon: isActive ? <CirclePause aria-hidden /> : <CirclePlay aria-hidden />,
      refusal: refusals.status,
      onSelect: () => on.onSwitchStatus(user),
    },
  ];
  if (user.status === "deleted") return actions;
  const { onPermissions } = on;
  return [
    ...actions,
    ...(onPermissions
      ? [
          {
            label: texts.permissions,
            icon: <ShieldCheck aria-hidden />,
            onSelect: () => onPermissions(user),
          },
        ]
      : []),
    {
      label: texts.remove,
      icon: <Trash2 aria-hidden />,
      destructive: true,
      separated: true,
      refusal: refusals.remove,
      onSelect: () => on.onRemove(user),
    },
  ];
}

interface UserRefusals {
  edit: string | undefined;
  resetPassword: string | undefined;
  /** Why Suspend and Activate aren't possible; undefined if they are. */
  status: string | undefined;
  remove: string | undefined;
}

/**
 * Returns why actions aren't possible: administrators can't manage users whose role they can't assign, nor change their
 * own role, status, email or password here.
 */
function userActionRefusals(me: Me, user: User): UserRefusals {
  if (user.id === me.id) {
    return { edit: undefined, resetPassword: texts.ownPassword, status: texts.ownStatus, remove: texts.ownRemove };
  }
  const beyond = assignableRoles(me.role).includes(user.role)
    ? undefined
    : texts.youCantChangeA({ role: roleLabel(user.role) });
  return {
    edit: beyond,
    resetPassword: beyond ?? (user.status === "active" ? undefined : texts.activateFirst),
    status: beyond,
    remove: beyond,
  };
}
