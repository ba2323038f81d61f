/** A row with a property's name on the left and its value on the right. */
import { useId, type ReactNode } from "react";
import { FieldError, type FieldControl } from "../../ui/Field.tsx";

interface PropertyRowProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  children(control: FieldControl): ReactNode;
}

export function PropertyRow({ label, hint, error, children }: PropertyRowProps) {
  const id = useId();
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const described = [error ? errorId : "", hint ? hintId : ""].filter(Boolean).join(" ");
  return (
    <div className="grid min-h-9 grid-cols-[7.5rem_minmax(0,1fr)] items-center gap-x-1 pointer-coarse:min-h-11">
      <label htmlFor={id} className="text-t2 text-muted">
        {label}
      </label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": error ? true : undefined })}
      {hint && (
        <p id={hintId} className="col-start-2 px-2 pb-1 text-xs text-muted">
          {hint}
        </p>
      )}
      {/* A message gets the whole width, because it would wrap to six lines beside the name. */}
      {error && (
        <div className="col-span-full pt-1.5 pb-1">
          <FieldError id={errorId} message={error} />
        </div>
      )}
    </div>
  );
}

/** The style of a control that looks like text until the pointer is on it. */
export const quietControlStyle =
  "h-8 w-full min-w-0 truncate rounded-md border border-transparent bg-transparent px-2 text-t2 text-text [&:is(select)]:px-1 hover:border-control focus:border-control disabled:opacity-60 aria-invalid:border-destructive pointer-coarse:min-h-11";
