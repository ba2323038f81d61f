import { useId, type ReactNode } from "react";
import { FieldError, type FieldControl } from "../../ui/Field.tsx";

interface SettingProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** The control's width: of a number, or of a line of text. */
  size?: "number" | "text";
  /** Renders the control, as in `(control) => <Input {...control} {...register("name")} />`. */
  children: (control: FieldControl) => ReactNode;
}

export const settingStyle = "border-b border-line py-4 last:border-b-0";

/** One setting: label on the left, control on the right, hint and error under the label. */
export function Setting({ label, hint, error, size = "text", children }: SettingProps) {
  const id = useId();
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const described = [error ? errorId : "", hint ? hintId : ""].filter(Boolean).join(" ");
  return (
    <div className={`${settingStyle} flex flex-wrap items-center justify-between gap-x-6 gap-y-2`}>
      <div className="min-w-0 flex-1 basis-60">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={hintId} className="text-sm text-muted">
            {hint}
          </p>
        )}
        <FieldError id={errorId} message={error} />
      </div>
      <div className={size === "number" ? "w-28" : "w-full @md:w-80"}>
        {children({ id, "aria-describedby": described || undefined, "aria-invalid": error ? true : undefined })}
      </div>
    </div>
  );
}
