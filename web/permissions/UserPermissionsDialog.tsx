/** Sets permissions of one person that differ from the person's role. */
import { actionDescriptions } from "#core/permissions/action-descriptions.ts";
import { printedName } from "#core/users/printed-name.ts";
import { useId, useRef } from "react";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { dateTimeText } from "../ui/time.ts";
import { useToast } from "../ui/Toast.tsx";
import { actionsInOrder, reachNames, userTexts as texts } from "./texts.ts";
import { useErrorToast } from "./use-error-toast.ts";
import { useUserPermissions, type UserRights } from "./use-user-permissions.ts";
import { UserPermissionForm } from "./UserPermissionForm.tsx";

interface UserPermissionsDialogProps {
  user: { id: string; name: string };
  onClose(): void;
}

export function UserPermissionsDialog({ user, onClose }: UserPermissionsDialogProps) {
  const { rights, isSaving, isClearing, set, clear } = useUserPermissions(user.id);
  const list = useRef<HTMLElement>(null);
  const toast = useToast();
  const refused = useErrorToast(texts.actionFailed);
  const remove = async (permissionId: string): Promise<void> => {
    try {
      await clear(permissionId);
      toast({ title: texts.removed });
      list.current?.focus();
    } catch (error) {
      refused(error);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`${texts.title}: ${printedName(user)}`}
      description={texts.description}
      footer={<Button onClick={onClose}>{texts.close}</Button>}
    >
      {rights.data ? (
        <div className="grid gap-6">
          <OwnPermissions
            rights={rights.data}
            region={list}
            isClearing={isClearing}
            onRemove={(id) => void remove(id)}
          />
          <UserPermissionForm rights={rights.data} busy={isSaving} onSave={set} />
          <EffectivePermissions rights={rights.data} />
        </div>
      ) : rights.isError ? (
        <ErrorState title={texts.failed} onRetry={() => void rights.refetch()} />
      ) : (
        <output className="flex items-center gap-2 py-6 text-muted">
          <Spinner />
          {texts.loading}
        </output>
      )}
    </Dialog>
  );
}

interface OwnPermissionsProps {
  rights: UserRights;
  region: React.RefObject<HTMLElement | null>;
  isClearing(permissionId: string): boolean;
  onRemove(permissionId: string): void;
}

function OwnPermissions({ rights, region, isClearing, onRemove }: OwnPermissionsProps) {
  const heading = useId();
  const settable = new Set(rights.effective.filter((one) => one.settable).map(({ permission }) => permission));
  return (
    // The section takes the focus when a focused row disappears.
    <section ref={region} tabIndex={-1} aria-labelledby={heading} className="outline-none">
      <h3 id={heading} className="mb-1 font-semibold">
        {texts.own}
      </h3>
      {rights.permissions.length === 0 ? (
        <p className="text-muted">{texts.ownEmpty}</p>
      ) : (
        <ul className="divide-y divide-line">
          {rights.permissions.map(({ id, permission, granted, expiresAt, expired, grantedBy }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {actionDescriptions[permission]}
                  <Badge tone={granted ? "success" : "destructive"}>{granted ? texts.allowed : texts.denied}</Badge>
                  {expired && <Badge tone="outline">{texts.expired}</Badge>}
                </p>
                <p className="text-xs text-muted">
                  {`${expiresAt === null ? texts.noEnd : texts.until({ expiresAt: dateTimeText(expiresAt) })} · ${texts.by({ name: grantedBy.name })}`}
                </p>
              </div>
              {settable.has(permission) && (
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={`${texts.remove}: ${actionDescriptions[permission]}`}
                  busy={isClearing(id)}
                  onClick={() => onRemove(id)}
                >
                  {texts.remove}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Lists what role and own permissions together allow, action by action. */
function EffectivePermissions({ rights }: { rights: UserRights }) {
  const rows = new Map(rights.effective.map((one) => [one.permission, one]));
  return (
    <details className="border-y border-line">
      <summary className="py-2.5 font-medium">{texts.result}</summary>
      <div className="pb-3">
        <table className="w-full text-left">
          <thead>
            <tr className="text-xs text-muted">
              <th scope="col" className="py-1 font-medium">
                {texts.permission}
              </th>
              <th scope="col" className="w-20 py-1 font-medium">
                {texts.byRole}
              </th>
              <th scope="col" className="w-16 py-1 font-medium">
                {texts.now}
              </th>
            </tr>
          </thead>
          <tbody>
            {actionsInOrder.map((action) => {
              const row = rows.get(action);
              if (!row) return null;
              const isChanged = row.byRole !== row.effective;
              return (
                <tr key={action} className="border-t border-line">
                  <th scope="row" className="py-1.5 pr-3 font-normal">
                    {actionDescriptions[action]}
                  </th>
                  <td className="py-1.5 text-muted">{reachNames[row.byRole]}</td>
                  <td className={isChanged ? "py-1.5 font-semibold" : "py-1.5"}>{reachNames[row.effective]}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
        <p className="mt-2 text-xs text-muted">{texts.some}</p>
      </div>
    </details>
  );
}
