import type { EditorView } from "@milkdown/kit/prose/view";
import { Kbd } from "../ui/Kbd.tsx";
import { activateMenuOption, chooseBlock, listId, type BlockMenuState } from "./block-menu.ts";
import type { BlockDialog } from "./blocks.ts";
import { texts } from "./texts.ts";
import { optionId } from "./typed-menu.ts";
import { TypedList } from "./TypedList.tsx";

interface BlockMenuProps {
  menu: BlockMenuState;
  view: EditorView;
  onAsked(what: BlockDialog): void;
}

/** The menu that opens when the user types `/`. */
export function BlockMenu({ menu: { found, active, from }, view, onAsked }: BlockMenuProps) {
  const options = found.map(({ label, hint = "", icon, keys }, index) => ({
    id: optionId(listId, index),
    icon,
    label,
    hint,
    extra: keys && (
      <span aria-hidden className="max-sm:hidden">
        <Kbd keys={keys} />
      </span>
    ),
  }));
  return (
    <TypedList
      {...{ view, from, options, active }}
      id={listId}
      label={texts.blocks}
      status={texts.blocksFound({ count: found.length })}
      onActivate={(index) => activateMenuOption(view, index)}
      onChoose={(index) => chooseBlock(view, index, onAsked)}
    />
  );
}
