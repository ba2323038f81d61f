import { QueryClientProvider } from "@tanstack/react-query";
import { useState, type SyntheticEvent } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient, errorMessageOf, type AppClient } from "../api.ts";
import { Field } from "../ui/Field.tsx";
import { FormDialog } from "../ui/FormDialog.tsx";
import { fieldMessage } from "../ui/server-errors.ts";
import { PasswordInput } from "./PasswordInput.tsx";
import { proofTexts } from "./texts.ts";

/**
 * Opens a dialog over the current screen for any write that needs the password.
 * @returns false if the user closes it without the right password
 */
export function askForPassword(client: AppClient): Promise<boolean> {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  return new Promise((resolve) => {
    const close = (isProven: boolean) => {
      root.unmount();
      place.remove();
      resolve(isProven);
    };
    root.render(
      <QueryClientProvider client={createQueryClient()}>
        <ProofDialog client={client} onProven={() => close(true)} onClose={() => close(false)} />
      </QueryClientProvider>,
    );
  });
}

interface ProofDialogProps {
  client: AppClient;
  onProven(): void;
  onClose(): void;
}

function ProofDialog({ client, onProven, onClose }: ProofDialogProps) {
  const [currentPassword, setPassword] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      await client.account.prove({ body: { currentPassword } });
      onProven();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  const wrong = fieldMessage(error, "currentPassword");
  return (
    <FormDialog
      size="sm"
      title={proofTexts.title}
      description={proofTexts.text}
      submitLabel={proofTexts.submit}
      busy={isBusy}
      error={error !== null && wrong === undefined ? errorMessageOf(error, proofTexts.failed) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={proofTexts.password} error={wrong}>
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="current-password"
            value={currentPassword}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
