/** The permissions of each role in this company: a table, or one role at a time on a narrow screen. */
import { actionDescriptions } from "#core/permissions/action-descriptions.ts";
import { useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Check, Minus, X } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { PermittedAction } from "#core/permissions/actions.ts";
import { roleLabel, type Role } from "#core/permissions/roles.ts";
import { queryKeyOf, useRead, useWrite, type Output } from "../api.ts";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { Button } from "../ui/Button.tsx";
import { DropdownMenu, MenuChoice } from "../ui/DropdownMenu.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { Field } from "../ui/Field.tsx";
import { Select } from "../ui/Select.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { useToast } from "../ui/Toast.tsx";
import { actionsInOrder, reachNames, roleTexts as texts } from "./texts.ts";
import { useErrorToast } from "./use-error-toast.ts";

type ListedRolePermission = Output<"roles", "list">[number];

/** Roles whose permissions a company can change. Company admins keep all permissions. */
const shownRoles: readonly Role[] = ["admin", "manager", "editor", "reviewer", "contributor", "viewer"];
const shownActions = actionsInOrder.filter((action) => action !== "companies.manage");

export function RolePermissions() {
  const roles = useRead("roles", "list", {});
  if (roles.data) return <RolePermissionTable permissions={roles.data} />;
  if (roles.isError) return <ErrorState title={texts.failed} onRetry={() => void roles.refetch()} />;
  return (
    <output className="grid gap-2">
      <span className="sr-only">{texts.loading}</span>
      {[1, 2, 3, 4, 5].map((line) => (
        <Skeleton key={line} className="h-8" />
      ))}
    </output>
  );
}

function useRoleChange() {
  const queryClient = useQueryClient();
  const set = useWrite("roles", "set");
  return {
    busy: set.isPending,
    async change(role: Role, permission: PermittedAction, granted: boolean | null): Promise<void> {
      const permissions = await set.mutateAsync({ body: { role, permission, granted } });
      queryClient.setQueryData(queryKeyOf("roles", "list", {}), permissions);
    },
  };
}

function RolePermissionTable({ permissions }: { permissions: readonly ListedRolePermission[] }) {
  const [role, setRole] = useState<Role>("manager");
  const byCell = new Map(permissions.map((right) => [`${right.role} ${right.permission}`, right]));
  return (
    <div className="@container grid gap-4">
      <div className="@3xl:hidden">
        <Field label={texts.role}>
          {(control) => (
            <Select
              {...control}
              value={role}
              onChange={(event) => setRole(event.target.value as Role)}
              options={shownRoles.map((value) => ({ value, label: roleLabel(value) }))}
            />
          )}
        </Field>
      </div>
      <table className="w-full text-left">
        <caption className="sr-only">{texts.title}</caption>
        <thead>
          <tr className="text-xs text-muted">
            <th scope="col" className="py-1.5 pr-3 font-semibold">
              {texts.permission}
            </th>
            {shownRoles.map((one) => (
              <th
                key={one}
                scope="col"
                className={clsx("w-24 py-1.5 text-center font-semibold", columnClassOf(one, role))}
              >
                {roleLabel(one)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shownActions.map((action) => (
            <tr key={action} className="border-t border-line">
              <th scope="row" className="py-1 pr-3 font-normal">
                {actionDescriptions[action]}
              </th>
              {shownRoles.map((one) => (
                <td key={one} className={clsx("p-0.5 text-center", columnClassOf(one, role))}>
                  <RolePermissionCell right={byCell.get(`${one} ${action}`)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-xs text-muted">
          {texts.some} {texts.framed}
        </p>
        <ResetAllPermissions changed={permissions.filter((one) => one.override !== null && one.settable)} />
      </div>
    </div>
  );
}

/** Hides other roles' columns if there is no room for all. */
function columnClassOf(column: Role, chosen: Role): string {
  return column === chosen ? "" : "hidden @3xl:table-cell";
}

const reachIcons: Record<ListedRolePermission["effective"], ReactNode> = {
  all: <Check aria-hidden className="text-success" />,
  some: <Minus aria-hidden className="text-warning" />,
  none: <X aria-hidden className="text-muted" />,
};

function RolePermissionCell({ right }: { right: ListedRolePermission | undefined }) {
  const { change, busy } = useRoleChange();
  const toast = useToast();
  const refused = useErrorToast(texts.actionFailed);
  if (!right) return null;
  const face = (
    <>
      {reachIcons[right.effective]}
      {reachNames[right.effective]}
    </>
  );
  if (!right.settable) {
    return <span className="inline-flex h-8 items-center gap-1.5 text-sm [&_svg]:size-4">{face}</span>;
  }
  const choosePermission = async (value: string): Promise<void> => {
    const granted = value === "usual" ? null : value === "allow";
    if (granted === right.override) return;
    try {
      await change(right.role, right.permission, granted);
      toast({ title: texts.saved, description: `${roleLabel(right.role)}: ${actionDescriptions[right.permission]}` });
    } catch (error) {
      refused(error);
    }
  };
  const isChanged = right.override !== null;
  const trigger = (
    <Button
      size="sm"
      variant={isChanged ? "outline" : "ghost"}
      busy={busy}
      className={clsx("min-w-20", isChanged && "font-semibold")}
      aria-label={`${roleLabel(right.role)}, ${actionDescriptions[right.permission]}: ${reachNames[right.effective]}${isChanged ? `, ${texts.changedByCompany}` : ""}`}
    >
      {face}
    </Button>
  );
  return (
    <DropdownMenu trigger={trigger}>
      <MenuChoice
        value={right.override === null ? "usual" : right.override ? "allow" : "deny"}
        onValueChange={(value) => void choosePermission(value)}
        options={[
          { value: "usual", label: `${texts.usual} (${reachNames[right.default]})` },
          { value: "allow", label: texts.allow },
          { value: "deny", label: texts.deny },
        ]}
      />
    </DropdownMenu>
  );
}

function ResetAllPermissions({ changed }: { changed: readonly ListedRolePermission[] }) {
  const [isConfirming, setConfirming] = useState(false);
  const { change, busy } = useRoleChange();
  const toast = useToast();
  const refused = useErrorToast(texts.actionFailed);
  const reset = async (): Promise<void> => {
    try {
      for (const { role, permission } of changed) await change(role, permission, null);
      toast({ title: texts.resetDone });
    } catch (error) {
      refused(error);
    }
    setConfirming(false);
  };
  return (
    <>
      <Button disabled={changed.length === 0} onClick={() => setConfirming(true)}>
        {texts.resetAll}
        {changed.length > 0 && ` (${changed.length})`}
      </Button>
      <AlertDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={texts.resetAsk}
        description={texts.resetText}
        confirm={texts.reset}
        cancel={texts.cancel}
        busy={busy}
        onConfirm={() => void reset()}
      />
    </>
  );
}
