/** The list behind `/`, `[[` and `@`. The focus stays in the text, which names the active choice. */
import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import type { EditorView } from "@milkdown/kit/prose/view";
import { useEffect, type MouseEvent, type ReactNode } from "react";
import { showInList } from "../ui/show-in-list.ts";
import { Floating } from "./Floating.tsx";

interface TypedOption {
  id: string;
  icon: LucideIcon;
  label: string;
  hint?: string | undefined;
  /** At the end of the row. */
  extra?: ReactNode;
}

interface TypedListProps {
  view: EditorView;
  /** Where what was typed begins. */
  from: number;
  id: string;
  label: string;
  /** Said, not shown. */
  status: string;
  options: readonly TypedOption[];
  active: number;
  onActivate(index: number): void;
  onChoose(index: number): void;
}

export function TypedList({ view, from, id, label, status, options, active, onActivate, onChoose }: TypedListProps) {
  const activeId = options[active]?.id;
  useEffect(() => {
    showInList(activeId === undefined ? null : document.getElementById(activeId));
  }, [activeId, options]);
  const list = {
    id,
    role: "listbox" as const,
    // what scrolls can be reached (axe); but the text takes Tab for itself as long as this is open
    tabIndex: 0,
    // the focus stays in the text
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
  };
  const option = (index: number) => ({
    role: "option" as const,
    "aria-selected": index === active,
    onMouseMove: () => index !== active && onActivate(index),
    onClick: () => onChoose(index),
  });
  return (
    // words that were typed may have gone to the next line
    <Floating view={view} at={from} to={view.state.selection.head} className="w-80">
      <ul {...list} aria-label={label} className="max-h-[inherit] overflow-y-auto p-1">
        {options.map(({ id: optionId, icon: Icon, label: name, hint, extra }, index) => (
          <li
            key={optionId}
            id={optionId}
            {...option(index)}
            className={clsx(
              "flex min-h-8 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1.5 select-none pointer-coarse:min-h-11",
              index === active && "bg-primary-soft",
            )}
          >
            <Icon aria-hidden className={clsx("size-4 shrink-0", index === active ? "text-primary" : "text-muted")} />
            <span className={clsx(hint === undefined ? "min-w-0 flex-1 truncate" : "shrink-0")}>{name}</span>
            {hint !== undefined && <span className="min-w-0 flex-1 truncate text-xs text-muted">{hint}</span>}
            {extra}
          </li>
        ))}
      </ul>
      <output className="sr-only">{status}</output>
    </Floating>
  );
}
