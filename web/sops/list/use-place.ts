import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useLocation } from "react-router-dom";

interface LeftPlace<Rows> {
  y: number;
  walked: string;
  rows: Rows;
}

interface ListHistoryPlace<Rows> {
  /** The key of the history entry. */
  key: string;
  /** The name of the list within the history entry. */
  name: string;
  /** The place where the user left the list, if the user comes back. */
  known: LeftPlace<Rows> | undefined;
}

/** Places by history entry and list. Back restores the scroll position and the last focused SOP. */
const places = new Map<string, LeftPlace<unknown>>();
const placesKept = 50;

/** Forgets all places, so that each test starts without any. */
export function forgetPlaces(): void {
  places.clear();
}

/** @param view distinguishes the lists of one history entry */
export function usePlace<Rows>(view: string): ListHistoryPlace<Rows> {
  const { key, pathname } = useLocation();
  // The name includes the path, because each screen stores its rows in its own form.
  const name = `${key} ${pathname} ${view}`;
  const [known] = useState(() => places.get(name) as LeftPlace<Rows> | undefined);
  return { key, name, known };
}

/** Restores the place and stores it when the user leaves. @param rowsOf returns what to store about the rows */
export function useKeptPlace<Rows>(
  list: RefObject<HTMLElement | null>,
  { key, name, known }: ListHistoryPlace<Rows>,
  rowsOf: () => Rows,
) {
  const [walked, walk] = useState(known?.walked ?? "");
  const y = useRef(known?.y ?? 0);
  const scrolled = useEffectEvent(() => {
    // During navigation the browser already scrolls for the next entry, which must not be stored for this one.
    if ((history.state?.key ?? "default") === key) y.current = window.scrollY;
  });
  const keep = useEffectEvent((left: string) => {
    places.delete(left);
    places.set(left, { y: y.current, walked, rows: rowsOf() });
    if (places.size > placesKept) places.delete(places.keys().next().value as string);
  });
  useLayoutEffect(() => {
    if (known && known.y > 0) window.scrollTo(0, known.y);
  }, [known]);
  useLayoutEffect(() => () => keep(name), [name]);
  useEffect(() => {
    const onScroll = () => scrolled();
    const onFocus = ({ target }: FocusEvent) => {
      const id = target instanceof HTMLElement && list.current?.contains(target) && target.dataset["sop"];
      if (id) walk(id);
    };
    window.addEventListener("scroll", onScroll, { passive: true });
    window.addEventListener("focusin", onFocus);
    return () => {
      window.removeEventListener("scroll", onScroll);
      window.removeEventListener("focusin", onFocus);
    };
  }, [list]);
  return { walked, walk };
}
