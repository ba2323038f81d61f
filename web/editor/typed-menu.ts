/**
 * Code shared by the menus behind `/`, `[[` and `@`. The focus stays in the text, which handles the keys and names the
 * active option.
 */
import type { EditorProps, EditorView } from "@milkdown/kit/prose/view";
import type { PluginKey } from "@milkdown/kit/prose/state";

/** The state of a menu. The menu is hidden while nothing is found. */
interface TypedMenu {
  found: readonly unknown[];
  active: number;
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/**
 * Returns the editor's props for a menu.
 * @param key the plugin's key; its meta takes `"close"` and `{ active }`
 */
export function typedMenuProps<Menu extends TypedMenu>(
  key: PluginKey<Menu | null>,
  listId: string,
  choose: (view: EditorView, index: number) => void,
): EditorProps {
  const changeMenu = (view: EditorView, what: "close" | { active: number }) =>
    view.dispatch(view.state.tr.setMeta(key, what));
  return {
    attributes: (state) => menuAriaAttributes(listId, key.getState(state)),
    handleKeyDown(view, { key: pressed, ctrlKey, metaKey, altKey, shiftKey, isComposing }) {
      const menu = key.getState(view.state);
      if (!menu || menu.found.length === 0 || isComposing || ctrlKey || metaKey || altKey || shiftKey) return false;
      const { found, active } = menu;
      if (pressed === "Escape") changeMenu(view, "close");
      else if (pressed === "ArrowDown") changeMenu(view, { active: (active + 1) % found.length });
      else if (pressed === "ArrowUp") changeMenu(view, { active: (active + found.length - 1) % found.length });
      else if (pressed === "Enter" || pressed === "Tab") choose(view, active);
      else return false;
      return true;
    },
    handleDOMEvents: {
      blur(view) {
        if (key.getState(view.state)) changeMenu(view, "close");
        return false;
      },
    },
  };
}

function menuAriaAttributes(listId: string, menu: TypedMenu | null | undefined): Record<string, string> {
  if (!menu || menu.found.length === 0) return {};
  return {
    "aria-autocomplete": "list",
    "aria-haspopup": "listbox",
    "aria-controls": listId,
    "aria-activedescendant": optionId(listId, menu.active),
  };
}
