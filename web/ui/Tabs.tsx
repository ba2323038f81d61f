import * as Radix from "radix-ui/tabs";
import type { ReactNode } from "react";

interface TabsProps {
  label: string;
  value: string;
  onValueChange(value: string): void;
  tabs: readonly { value: string; label: ReactNode; content: ReactNode }[];
}

export function Tabs({ label, value, onValueChange, tabs }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onValueChange}>
      <Radix.List aria-label={label} className="flex gap-1 border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px min-h-9 border-b-2 border-transparent px-3 text-sm font-medium text-muted hover:text-text data-[state=active]:border-primary data-[state=active]:text-text pointer-coarse:min-h-11"
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
