import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import type { SelectOption } from "./Select.tsx";

interface FacetProps {
  label: string;
  value: string;
  options: readonly SelectOption[];
  onValueChange(value: string): void;
  /**
   * The value that filters nothing. The label is shown instead of it. Without `unset`, the chosen option is always
   * shown.
   */
  unset?: string;
  icon?: ReactNode;
  /** A text shown instead of the chosen option. */
  face?: string;
  /** True to draw a frame, as for a button on phones. */
  framed?: boolean;
  className?: string;
}

/**
 * A filter above a list. The browser's own select is laid over a styled text, so that touch and type-ahead work as
 * usual.
 */
export function Facet({
  label,
  value,
  options,
  onValueChange,
  unset,
  icon,
  face,
  framed = false,
  className,
}: FacetProps) {
  const isSet = value !== unset;
  const isFilter = isSet && unset !== undefined;
  const chosen = options.find((option) => option.value === value)?.label;
  return (
    <span className={clsx("relative inline-flex max-w-full", className)}>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        className="peer absolute inset-0 w-full appearance-none rounded-md bg-surface text-text opacity-0"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <span
        aria-hidden
        className={clsx(
          "pointer-events-none relative inline-flex min-w-0 items-center gap-1.5 rounded-md px-2 whitespace-nowrap outline-primary peer-focus-visible:outline-2 pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0",
          framed ? "h-control border border-line px-2.5 text-sm font-medium" : "h-7 text-t2 max-sm:h-9",
          isFilter && "bg-primary-soft font-medium text-primary",
          !isFilter && !framed && "text-muted peer-hover:bg-sunken peer-hover:text-text",
        )}
      >
        {icon}
        <span className="truncate">{face ?? (isSet ? (chosen ?? label) : label)}</span>
        {!framed && <ChevronDown />}
      </span>
    </span>
  );
}
