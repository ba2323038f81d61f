import type { ComponentProps, ReactNode } from "react";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  label: ReactNode;
  hint?: ReactNode;
}

export function Checkbox({ label, hint, className, ...props }: CheckboxProps) {
  return (
    <label className={className}>
      <span className="-ml-1 flex min-h-6 items-start gap-2.5 py-0.5 pl-1 text-sm pointer-coarse:min-h-11 pointer-coarse:items-center">
        <input type="checkbox" {...props} className="mt-0.5 size-4 shrink-0 accent-primary" />
        <span>
          {label}
          {hint && <span className="block text-xs text-muted">{hint}</span>}
        </span>
      </span>
    </label>
  );
}
