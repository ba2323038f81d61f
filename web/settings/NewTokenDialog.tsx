import { useId, useState } from "react";
import { assignableRoles } from "#core/permissions/roles.ts";
import type { TokenScope } from "#core/tokens/scopes.ts";
import { errorMessageOf, useWrite } from "../api.ts";
import { useMe } from "../session.tsx";
import { Button } from "../ui/Button.tsx";
import { CopyField } from "../ui/CopyField.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { FormDialog } from "../ui/FormDialog.tsx";
import { Checkbox } from "../ui/Checkbox.tsx";
import { Field, FieldError } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Select } from "../ui/Select.tsx";
import { tokenTexts, scopeTexts } from "./texts.ts";
import { selectOptionsOf } from "../ui/options.ts";

const defaultDays = "90";

/** Asks for a token's purpose and scopes, then shows the token once. */
export function NewTokenDialog({ onClose }: { onClose(): void }) {
  const create = useWrite("tokens", "create");
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly TokenScope[]>(["sops:read"]);
  const [days, setDays] = useState(defaultDays);
  const [isTried, setTried] = useState(false);
  if (create.data) return <ShownToken token={create.data.token} onClose={onClose} />;

  const missing = {
    name: isTried && name.trim() === "" ? tokenTexts.nameMissing : undefined,
    scopes: isTried && scopes.length === 0 ? tokenTexts.scopeMissing : undefined,
  };
  const submit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === "" || scopes.length === 0 || create.isPending) return;
    const body = { name, scopes: [...scopes], expiresInDays: Number(days) };
    create.mutate({ body });
  };
  return (
    <FormDialog
      title={tokenTexts.newTitle}
      description={tokenTexts.newText}
      submitLabel={tokenTexts.make}
      busy={create.isPending}
      error={create.isError ? errorMessageOf(create.error, tokenTexts.makeFailed) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={tokenTexts.name} error={missing.name}>
        {(control) => (
          <Input
            {...control}
            maxLength={80}
            autoComplete="off"
            placeholder={tokenTexts.namePlaceholder}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <TokenScopeChoices chosen={scopes} error={missing.scopes} onChange={setScopes} />
      <Field label={tokenTexts.expiry}>
        {(control) => (
          <Select
            {...control}
            className="max-w-48"
            options={selectOptionsOf(tokenTexts.expiries)}
            value={days}
            onChange={(event) => setDays(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

interface TokenScopeChoicesProps {
  chosen: readonly TokenScope[];
  error: string | undefined;
  onChange(scopes: readonly TokenScope[]): void;
}

function TokenScopeChoices({ chosen, error, onChange }: TokenScopeChoicesProps) {
  const me = useMe();
  const errorId = useId();
  // Scopes for git aren't offered, because repositories can't be cloned yet.
  const offered: TokenScope[] = ["sops:read", "sops:write", "approvals"];
  if (assignableRoles(me.role).length > 0) offered.push("admin");
  const toggle = (scope: TokenScope) =>
    onChange(chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope]);
  return (
    <fieldset aria-describedby={error ? errorId : undefined} className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{tokenTexts.scopes}</legend>
      {offered.map((scope) => (
        <Checkbox key={scope} {...scopeTexts[scope]} checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
      ))}
      <FieldError id={errorId} message={error} />
    </fieldset>
  );
}

/** The server keeps only the token's hash, so the token is shown only here. */
function ShownToken({ token, onClose }: { token: string; onClose(): void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={tokenTexts.shownTitle}
      description={tokenTexts.shownText}
      footer={
        <Button variant="primary" onClick={onClose}>
          {tokenTexts.done}
        </Button>
      }
    >
      <CopyField label={tokenTexts.shown} value={token} copiedStatus={tokenTexts.copiedStatus} className="font-mono" />
    </Dialog>
  );
}
