import { clsx } from "clsx";
import * as Radix from "radix-ui/tabs";
import type { ReactNode } from "react";

interface TabsProps {
  label: string;
  value: string;
  onValueChange(value: string): void;
  tabs: readonly { value: string; label: ReactNode; content: ReactNode }[];
}

const tabStyle =
  "inline-flex h-control shrink-0 items-center gap-1.5 rounded-md px-2.5 text-sm whitespace-nowrap text-muted hover:text-text pointer-coarse:min-h-11";

/** Tabs, of which one shows its content. */
export function Tabs({ label, value, onValueChange, tabs }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onValueChange}>
      <Radix.List aria-label={label} className="scroll-row flex gap-0.5">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={clsx(
              tabStyle,
              "data-[state=active]:bg-sunken data-[state=active]:font-medium data-[state=active]:text-text",
            )}
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-4">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

interface FilterTabsProps {
  label: string;
  value: string;
  onValueChange(value: string): void;
  /** A `count` of `null` isn't known yet and keeps its room. A count of 0 isn't shown. */
  tabs: readonly { value: string; label: string; count?: number | null | undefined }[];
}

/** The values of one filter as tabs with their counts. They filter the list below. */
export function FilterTabs({ label, value, onValueChange, tabs }: FilterTabsProps) {
  return (
    <fieldset aria-label={label} className="flex min-w-0 gap-0.5">
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          aria-pressed={tab.value === value}
          onClick={() => onValueChange(tab.value)}
          className={clsx(tabStyle, "aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-text")}
        >
          {tab.label}
          {tab.count !== undefined && tab.count !== 0 && (
            <>
              {" "}
              <span className="min-w-[2ch] text-left text-t1 font-normal text-muted tabular-nums">{tab.count}</span>
            </>
          )}
        </button>
      ))}
    </fieldset>
  );
}
