import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useLocation } from "react-router-dom";

interface Left<Rows> {
  y: number;
  walked: string;
  rows: Rows;
}

interface Place<Rows> {
  /** Of the history entry. */
  key: string;
  /** Of the list. */
  name: string;
  /** As the user left it, if they come back. */
  known: Left<Rows> | undefined;
}

/** By history entry and list: Back leads to the same place of the list, and to the SOP last focused. */
const places = new Map<string, Left<unknown>>();
const placesKept = 50;

/** For tests: each starts without places. */
export function forgetPlaces(): void {
  places.clear();
}

/** @param view distinguishes the lists of one history entry */
export function usePlace<Rows>(view: string): Place<Rows> {
  const { key, pathname } = useLocation();
  // each screen remembers its rows in its own shape
  const name = `${key} ${pathname} ${view}`;
  const [known] = useState(() => places.get(name) as Left<Rows> | undefined);
  return { key, name, known };
}

/** Restores the place, and remembers it when the user leaves. @param rowsOf what to remember of the rows */
export function useKeptPlace<Rows>(
  list: RefObject<HTMLElement | null>,
  { key, name, known }: Place<Rows>,
  rowsOf: () => Rows,
) {
  const [walked, walk] = useState(known?.walked ?? "");
  const y = useRef(known?.y ?? 0);
  const scrolled = useEffectEvent(() => {
    // while another entry is on its way, the browser scrolls for that one
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
