/**
 * The list that opens after `/`, `[[` and `@`. The focus stays in the text, whose `aria` attributes name the active
 * option.
 */
import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import type { EditorView } from "@milkdown/kit/prose/view";
import { useEffect, type MouseEvent, type ReactNode } from "react";
import { scrollOptionIntoList } from "../ui/show-in-list.ts";
import { FloatingBox } from "./FloatingBox.tsx";

interface TypedOption {
  id: string;
  icon: LucideIcon;
  label: string;
  hint?: string | undefined;
  /** Content at the end of the option's row. */
  extra?: ReactNode;
}

interface TypedListProps {
  view: EditorView;
  /** The position at which the typed sign begins. */
  from: number;
  id: string;
  label: string;
  /** The number of options as a text, for screen readers only. */
  status: string;
  options: readonly TypedOption[];
  /** The index of the active option. */
  active: number;
  onActivate(index: number): void;
  onChoose(index: number): void;
}

export function TypedList({ view, from, id, label, status, options, active, onActivate, onChoose }: TypedListProps) {
  const activeId = options[active]?.id;
  useEffect(() => {
    scrollOptionIntoList(activeId === undefined ? null : document.getElementById(activeId));
  }, [activeId, options]);
  const list = {
    id,
    role: "listbox" as const,
    // A scrollable element must be focusable (axe), although Tab belongs to the text while the list is open.
    tabIndex: 0,
    // Pressing an option must not take the focus from the text.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
  };
  const optionProps = (index: number) => ({
    role: "option" as const,
    "aria-selected": index === active,
    onMouseMove: () => index !== active && onActivate(index),
    onClick: () => onChoose(index),
  });
  return (
    // Typed words can wrap to the next line, so the box must clear the text up to the cursor.
    <FloatingBox view={view} at={from} to={view.state.selection.head} className="w-80">
      <ul {...list} aria-label={label} className="max-h-[inherit] overflow-y-auto p-1">
        {options.map(({ id: optionId, icon: Icon, label: name, hint, extra }, index) => (
          <li
            key={optionId}
            id={optionId}
            {...optionProps(index)}
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
    </FloatingBox>
  );
}
