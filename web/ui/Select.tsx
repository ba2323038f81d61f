import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { controlStyle } from "./Input.tsx";

export interface Option {
  value: string;
  label: string;
}

interface SelectProps extends Omit<ComponentProps<"select">, "children" | "multiple"> {
  options: readonly Option[];
  /** Shown while nothing is chosen; can't be chosen itself. */
  placeholder?: string;
}

/** The platform's own select, dressed: best on touch, for type-ahead and for assistive technology; works with `register`. */
export function Select({ options, placeholder, className, ...props }: SelectProps) {
  return (
    <span className={clsx("relative block", className)}>
      <select {...props} className={clsx(controlStyle, "h-9 appearance-none truncate pr-9 pl-3")}>
        {placeholder !== undefined && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  );
}
