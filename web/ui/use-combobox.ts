/**
 * A text field with a list of options below it. The focus stays in the field, and arrow keys move through the list
 * (ARIA APG, combobox).
 */
import { useEffect, useId, useState, type KeyboardEvent, type MouseEvent } from "react";
import { scrollOptionIntoList } from "./show-in-list.ts";

interface ComboboxOptions {
  /** The number of options. */
  count: number;
  open: boolean;
  /** Identifies the options. When it changes, the choice is reset. */
  of: string;
  /** True if the first option is chosen from the start. Otherwise Enter without a choice submits the field's form. */
  firstChosen?: boolean;
  /** @param apart whether to open the option in a new tab */
  onPick(index: number, apart: boolean): void;
}

export function useCombobox({ count, open, of, firstChosen = false, onPick }: ComboboxOptions) {
  const id = useId();
  const [chosen, setChosen] = useState({ of, at: -1 });
  const first = firstChosen && count > 0 ? 0 : -1;
  const chosenIndex = chosen.of === of && chosen.at < count ? chosen.at : -1;
  const active = chosenIndex === -1 ? first : chosenIndex;
  const chooseAt = (at: number) => setChosen({ of, at });
  const optionId = (at: number) => `${id}-${at}`;

  useEffect(() => {
    if (open && active >= 0) scrollOptionIntoList(document.getElementById(`${id}-${active}`));
  }, [open, active, id]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || !open) return;
    const places = firstChosen ? count : count + 1;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && count > 0) {
      event.preventDefault();
      // After the last option, the arrow returns to the field, unless an option is always chosen.
      const offset = firstChosen ? 0 : 1;
      chooseAt(((active + offset + step + places) % places) - offset);
    } else if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      onPick(active, event.ctrlKey || event.metaKey);
    }
  };

  return {
    active,
    listId: `${id}-list`,
    field: {
      role: "combobox" as const,
      "aria-autocomplete": "list" as const,
      "aria-expanded": open,
      "aria-controls": open ? `${id}-list` : undefined,
      "aria-activedescendant": open && active >= 0 ? optionId(active) : undefined,
      autoComplete: "off",
      spellCheck: false,
      onKeyDown,
    },
    option: (at: number) => ({
      id: optionId(at),
      role: "option" as const,
      "aria-selected": at === active,
      onMouseMove: () => at !== active && chooseAt(at),
      // Pressing an option must not take the focus from the field.
      onMouseDown: (event: MouseEvent) => event.preventDefault(),
      onClick: (event: MouseEvent) => onPick(at, event.ctrlKey || event.metaKey),
    }),
  };
}

export type Combobox = ReturnType<typeof useCombobox>;
