import { clsx } from "clsx";
import type { EditorView } from "@milkdown/kit/prose/view";
import { useEffect, type MouseEvent } from "react";
import { Kbd } from "../ui/Kbd.tsx";
import { showInList } from "../ui/show-in-list.ts";
import { activate, choose, listId, optionId, type BlockMenuState } from "./block-menu.ts";
import type { BlockDialog } from "./blocks.ts";
import { Floating } from "./Floating.tsx";
import { texts } from "./texts.ts";

interface BlockMenuProps {
  menu: BlockMenuState;
  view: EditorView;
  onAsked(what: BlockDialog): void;
  /** Called only where its code can't be loaded: an open menu is the text's own business. */
  onClose(): void;
}

/** What `/` offers; the focus stays in the text, which names the active choice. */
export function BlockMenu({ menu, view, onAsked }: BlockMenuProps) {
  const { found, active, from } = menu;
  useEffect(() => {
    showInList(document.getElementById(optionId(active)));
  }, [active, found]);
  const list = {
    id: listId,
    role: "listbox" as const,
    // what scrolls can be reached (axe); but the text takes Tab for itself as long as this is open
    tabIndex: 0,
    // the focus stays in the text
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
  };
  const option = (index: number) => ({
    id: optionId(index),
    role: "option" as const,
    "aria-selected": index === active,
    onMouseMove: () => index !== active && activate(view, index),
    onClick: () => choose(view, index, onAsked),
  });
  return (
    // words that were typed may have gone to the next line
    <Floating view={view} at={from} to={view.state.selection.head} className="w-72">
      <ul {...list} aria-label={texts.blocks} className="max-h-[inherit] overflow-y-auto p-1">
        {found.map(({ label, hint, icon: Icon, keys }, index) => (
          <li
            key={label}
            {...option(index)}
            className={clsx(
              "flex min-h-8 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1.5 select-none pointer-coarse:min-h-11",
              index === active && "bg-primary-soft",
            )}
          >
            <Icon aria-hidden className={clsx("size-4 shrink-0", index === active ? "text-primary" : "text-muted")} />
            <span className="shrink-0">{label}</span>
            <span className="min-w-0 flex-1 truncate text-xs text-muted">{hint}</span>
            {keys && (
              <span aria-hidden className="max-sm:hidden">
                <Kbd keys={keys} />
              </span>
            )}
          </li>
        ))}
      </ul>
      <output className="sr-only">{texts.blocksFound(found.length)}</output>
    </Floating>
  );
}
