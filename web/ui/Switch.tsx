import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";

interface SwitchProps extends Omit<ComponentProps<"input">, "type" | "role"> {
  label: ReactNode;
  hint?: ReactNode;
}

/** A checkbox that looks like a switch and is announced as one. It works with `register`. */
export function Switch({ label, hint, ...props }: SwitchProps) {
  return (
    <label
      className={clsx(
        "flex min-h-6 justify-between gap-4 py-0.5 text-sm pointer-coarse:min-h-11 pointer-coarse:items-center",
        hint ? "items-start" : "items-center",
      )}
    >
      <span>
        <span className="font-medium">{label}</span>
        {hint && <span className="block text-xs text-muted">{hint}</span>}
      </span>
      <SwitchInput {...props} />
    </label>
  );
}

/** A switch without a label, for a row with its label elsewhere. Clicks just above or below it count too. */
export function SwitchInput(props: Omit<SwitchProps, "label" | "hint">) {
  return (
    <input
      type="checkbox"
      // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox reports its own state
      role="switch"
      {...props}
      className="relative block h-5 w-9 shrink-0 appearance-none rounded-full border border-control bg-sunken transition-colors duration-150 before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-full before:bg-control before:transition-transform before:duration-150 after:absolute after:-inset-1 checked:border-primary checked:bg-primary checked:before:translate-x-4 checked:before:bg-on-primary disabled:opacity-60 pointer-coarse:after:-inset-3"
    />
  );
}
