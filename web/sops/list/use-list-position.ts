import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useLocation } from "react-router-dom";

interface ListPosition<Rows> {
  y: number;
  focusedId: string;
  rows: Rows;
}

interface ListPositionEntry<Rows> {
  /** The key of the history entry. */
  key: string;
  /** The name of the list within the history entry. */
  name: string;
  /** The position where the user left the list, if the user comes back. */
  known: ListPosition<Rows> | undefined;
}

/** Positions by history entry and list. Back restores the scroll position and the last focused SOP. */
const positions = new Map<string, ListPosition<unknown>>();
const positionsAtMost = 50;

/** Forgets all positions, so that each test starts without any. */
export function forgetListPositions(): void {
  positions.clear();
}

/** @param view distinguishes the lists of one history entry */
export function useListPosition<Rows>(view: string): ListPositionEntry<Rows> {
  const { key, pathname } = useLocation();
  // The name includes the path, because each screen stores its rows in its own form.
  const name = `${key} ${pathname} ${view}`;
  const [known] = useState(() => positions.get(name) as ListPosition<Rows> | undefined);
  return { key, name, known };
}

/** Restores the position and stores it when the user leaves. @param rowsOf returns what to store about the rows */
export function useRestoredPosition<Rows>(
  list: RefObject<HTMLElement | null>,
  { key, name, known }: ListPositionEntry<Rows>,
  rowsOf: () => Rows,
) {
  const [focusedId, setFocusedId] = useState(known?.focusedId ?? "");
  const y = useRef(known?.y ?? 0);
  const scrolled = useEffectEvent(() => {
    // During navigation the browser already scrolls for the next entry, which must not be stored for the current entry.
    if ((history.state?.key ?? "default") === key) y.current = window.scrollY;
  });
  const storePosition = useEffectEvent((left: string) => {
    positions.delete(left);
    positions.set(left, { y: y.current, focusedId, rows: rowsOf() });
    if (positions.size > positionsAtMost) positions.delete(positions.keys().next().value as string);
  });
  useLayoutEffect(() => {
    if (known && known.y > 0) window.scrollTo(0, known.y);
  }, [known]);
  useLayoutEffect(() => () => storePosition(name), [name]);
  useEffect(() => {
    const onScroll = () => scrolled();
    const onFocus = ({ target }: FocusEvent) => {
      const id = target instanceof HTMLElement && list.current?.contains(target) && target.dataset["sop"];
      if (id) setFocusedId(id);
    };
    window.addEventListener("scroll", onScroll, { passive: true });
    window.addEventListener("focusin", onFocus);
    return () => {
      window.removeEventListener("scroll", onScroll);
      window.removeEventListener("focusin", onFocus);
    };
  }, [list]);
  return { focusedId, setFocusedId };
}
