import type { EditorView } from "@milkdown/kit/prose/view";
import { Kbd } from "../ui/Kbd.tsx";
import { activateBlockMenuOption, chooseBlock, blockMenuListId, type BlockMenuState } from "./block-menu.ts";
import type { BlockDialog } from "./blocks.ts";
import { texts } from "./texts.ts";
import { optionId } from "./typed-menu.ts";
import { TypedList } from "./TypedList.tsx";

interface BlockMenuProps {
  menu: BlockMenuState;
  view: EditorView;
  /** Opens the dialog for a block that needs one, such as an image. */
  onOpenDialog(what: BlockDialog): void;
}

/** The menu that opens when the user types `/`. */
export function BlockMenu({ menu: { found, active, from }, view, onOpenDialog }: BlockMenuProps) {
  const options = found.map(({ label, hint = "", icon, keys }, index) => ({
    id: optionId(blockMenuListId, index),
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
      id={blockMenuListId}
      label={texts.blocks}
      status={texts.blocksFound({ count: found.length })}
      onActivate={(index) => activateBlockMenuOption(view, index)}
      onChoose={(index) => chooseBlock(view, index, onOpenDialog)}
    />
  );
}
