import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { controlStyle } from "./Input.tsx";

export interface SelectOption {
  value: string;
  label: string;
  /** Options with the same group that follow each other are shown below its name. */
  group?: string;
  /** True if the option is shown but can't be chosen. The label says why. */
  disabled?: boolean;
}

interface SelectProps extends Omit<ComponentProps<"select">, "children" | "multiple"> {
  options: readonly SelectOption[];
  /** A text shown while no option is chosen. It can't be chosen itself. */
  placeholder?: string;
  /** True to leave out the frame and fit the width to the text, as for a filter above a list. */
  quiet?: boolean;
}

/** The browser's own select with our style: best for touch, type-ahead and screen readers. It works with `register`. */
export function Select({ options, placeholder, quiet = false, className, ...props }: SelectProps) {
  return (
    <span className={clsx("relative block", className)}>
      <select
        {...props}
        className={clsx(
          quiet ? "rounded-md text-muted field-sizing-content hover:bg-sunken pointer-coarse:min-h-11" : controlStyle,
          "h-control appearance-none truncate pl-3",
          quiet ? "pr-7" : "pr-9",
        )}
      >
        {placeholder !== undefined && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {optionGroupsOf(options).map(({ group, members }) =>
          group === undefined ? (
            members.map(optionElement)
          ) : (
            <optgroup key={group} label={group}>
              {members.map(optionElement)}
            </optgroup>
          ),
        )}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  );
}

function optionElement({ value, label, disabled = false }: SelectOption) {
  return (
    <option key={value} value={value} disabled={disabled}>
      {label}
    </option>
  );
}

function optionGroupsOf(options: readonly SelectOption[]): { group: string | undefined; members: SelectOption[] }[] {
  const groups: { group: string | undefined; members: SelectOption[] }[] = [];
  for (const option of options) {
    const last = groups.at(-1);
    if (last && last.group === option.group) last.members.push(option);
    else groups.push({ group: option.group, members: [option] });
  }
  return groups;
}
