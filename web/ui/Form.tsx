import type { ReactNode, SyntheticEvent } from "react";
import { Alert } from "./Alert.tsx";

interface FormProps {
  /** The form's id, so that a button outside it can submit it. */
  id?: string;
  onSubmit(event: SyntheticEvent<HTMLFormElement>): unknown;
  /** An error that isn't about a single field. */
  error: string | undefined;
  label?: string;
  children: ReactNode;
}

/** A form that shows errors about the whole form above its fields. */
export function Form({ id, onSubmit, error, label, children }: FormProps) {
  return (
    <form id={id} onSubmit={(event) => void onSubmit(event)} noValidate aria-label={label} className="grid gap-4">
      {error !== undefined && (
        <Alert tone="destructive" live>
          {error}
        </Alert>
      )}
      {children}
    </form>
  );
}
