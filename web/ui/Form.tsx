import type { ReactNode, SyntheticEvent } from "react";
import { Alert } from "./Alert.tsx";

interface FormProps {
  /** By which a button outside of it sends it. */
  id?: string;
  onSubmit(event: SyntheticEvent<HTMLFormElement>): unknown;
  /** Belongs to no field. */
  error: string | undefined;
  label?: string;
  children: ReactNode;
}

/** A form's fields below what is wrong with the whole of it. */
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
