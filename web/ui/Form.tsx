import type { ReactNode } from "react";
import { Alert } from "./Alert.tsx";

interface FormProps {
  onSubmit(event: { preventDefault(): void }): unknown;
  /** Belongs to no field. */
  error: string | undefined;
  label?: string;
  children: ReactNode;
}

/** A form's fields below what is wrong with the whole of it. */
export function Form({ onSubmit, error, label, children }: FormProps) {
  return (
    <form onSubmit={(event) => void onSubmit(event)} noValidate aria-label={label} className="grid gap-4">
      {error !== undefined && (
        <Alert tone="destructive" live>
          {error}
        </Alert>
      )}
      {children}
    </form>
  );
}
