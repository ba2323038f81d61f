import { dayOf } from "#core/days.ts";
import { actionDescriptions } from "#core/permissions/action-descriptions.ts";
import { useState, type FormEvent } from "react";
import type { PermittedAction } from "#core/permissions/actions.ts";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Select } from "../ui/Select.tsx";
import { useToast } from "../ui/Toast.tsx";
import { actionsInOrder, userTexts as texts } from "./texts.ts";
import { useErrorToast } from "./use-error-toast.ts";
import type { UserRights } from "./use-user-permissions.ts";

interface PermissionValues {
  permission: PermittedAction;
  granted: boolean;
  expiresAt: string | null;
}

interface UserPermissionFormProps {
  rights: UserRights;
  busy: boolean;
  onSave(values: PermissionValues): Promise<unknown>;
}

const day = 86_400_000;
const millisecondsByExpiry: Record<string, number> = { day, week: 7 * day, month: 30 * day };

/**
 * Returns the end of a permission as an ISO time; null for no end. A permission until a chosen day ends with that day
 * in UTC.
 */
export function permissionEndOf(expiry: string, date: string, now: number): string | null {
  const length = millisecondsByExpiry[expiry];
  if (length !== undefined) return new Date(now + length).toISOString();
  return expiry === "date" ? `${date}T23:59:59.999Z` : null;
}

/** Returns today's date in UTC, the earliest day that can be chosen. */
const todayUtc = () => dayOf(new Date().toISOString());

export function UserPermissionForm({ rights: permissions, busy, onSave }: UserPermissionFormProps) {
  const toast = useToast();
  const refused = useErrorToast(texts.actionFailed);
  const [kind, setKind] = useState("allow");
  const [permission, setPermission] = useState("");
  const [expiry, setExpiry] = useState("never");
  const [date, setDate] = useState("");
  const [missing, setMissing] = useState<{ permission?: string; date?: string }>({});
  const settable = new Set(permissions.effective.filter((one) => one.settable).map((one) => one.permission));
  if (settable.size === 0) return <p className="text-muted">{texts.nothingSettable}</p>;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const lacks = {
      ...(permission === "" && { permission: texts.permissionMissing }),
      ...(expiry === "date" && date === "" && { date: texts.dateMissing }),
    };
    setMissing(lacks);
    if (Object.keys(lacks).length > 0) return;
    try {
      const expiresAt = permissionEndOf(expiry, date, Date.now());
      await onSave({ permission: permission as PermittedAction, granted: kind === "allow", expiresAt });
      toast({ title: texts.saved });
      setPermission("");
    } catch (error) {
      refused(error);
    }
  };

  return (
    <form
      onSubmit={(event) => void submit(event)}
      noValidate
      aria-label={texts.add}
      className="grid gap-3 border-t border-line pt-4 sm:grid-cols-2"
    >
      <Field label={texts.kind}>
        {(control) => (
          <Select
            {...control}
            value={kind}
            onChange={(event) => setKind(event.target.value)}
            options={[
              { value: "allow", label: texts.allow },
              { value: "deny", label: texts.deny },
            ]}
          />
        )}
      </Field>
      <Field label={texts.permission} error={missing.permission}>
        {(control) => (
          <Select
            {...control}
            value={permission}
            onChange={(event) => setPermission(event.target.value)}
            placeholder={texts.choose}
            options={actionsInOrder
              .filter((action) => settable.has(action))
              .map((value) => ({ value, label: actionDescriptions[value] }))}
          />
        )}
      </Field>
      <Field label={texts.expiry}>
        {(control) => (
          <Select
            {...control}
            value={expiry}
            onChange={(event) => setExpiry(event.target.value)}
            options={[
              { value: "never", label: texts.expiryNever },
              { value: "day", label: texts.expiryDay },
              { value: "week", label: texts.expiryWeek },
              { value: "month", label: texts.expiryMonth },
              { value: "date", label: texts.expiryDate },
            ]}
          />
        )}
      </Field>
      {expiry === "date" && (
        <Field label={texts.date} error={missing.date}>
          {(control) => (
            <Input
              {...control}
              type="date"
              min={todayUtc()}
              value={date}
              onChange={(event) => setDate(event.target.value)}
            />
          )}
        </Field>
      )}
      <div className="sm:col-span-2">
        <Button type="submit" variant="primary" busy={busy}>
          {texts.add}
        </Button>
      </div>
    </form>
  );
}
