import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import type { Option } from "./Select.tsx";

interface FacetProps {
  label: string;
  value: string;
  options: readonly Option[];
  onValueChange(value: string): void;
  /** The value that filters nothing: the label is shown in its place. Without one, the choice is always shown. */
  unset?: string;
  icon?: ReactNode;
  /** Shown in place of the choice. */
  face?: string;
  /** With a frame, as a button of a phone. */
  framed?: boolean;
  className?: string;
}

/** A quiet menu over a list: the platform's own select lies over its words, so touch and type-ahead work as ever. */
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
