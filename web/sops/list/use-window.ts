/** Of a long list only what is near the screen is in the page: 10,000 SOPs are 1,500 nodes at most. */
import { startTransition, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";

const marginPx = 450;
/** Before anything was measured: more than a screen of cards. */
const firstItems = 18;
/** A place that asks for another place that asks for the first would never end. */
const mostRounds = 5;

interface Place {
  /** The items that are in the page: `[from, to)`. */
  from: number;
  to: number;
  /** The room of the others, in px. */
  above: number;
  below: number;
  /** Of all. */
  total: number;
}

/** Items come and go by groups: whole rows of cards, as few as can be, so that no frame has many to draw. */
interface Heights {
  /** Items a group. */
  group: number;
  /** Of each group that was ever in the page, with the gap below it. */
  px: number[];
}

interface Visit {
  place: Place;
  heights: Heights;
  y: number;
  walked: string;
}

/** Of each history entry: Back comes to the same place of the list, and to the SOP one left it by. */
const visits = new Map<string, Visit>();
/** As far back as anybody goes. */
const visitsKept = 50;

function remember(name: string, visit: Visit): void {
  visits.delete(name);
  visits.set(name, visit);
  for (const oldest of visits.keys()) {
    if (visits.size <= visitsKept) break;
    visits.delete(oldest);
  }
}

/** @param onEnd somebody scrolled to where the last items are near */
export function useWindow(count: number, view: string, onEnd: () => void) {
  const { key } = useLocation();
  const list = useRef<HTMLUListElement>(null);
  const [known] = useState(() => visits.get(key + view));
  const [heights] = useState(() => known?.heights ?? { group: 6, px: [] });
  const [place, setPlace] = useState<Place>(known?.place ?? { from: 0, to: firstItems, above: 0, below: 0, total: 0 });
  const [walked, walk] = useState(known?.walked ?? "");

  /** Rounds since somebody scrolled or items came: each measures, and what was measured may ask for other items. */
  const rounds = useRef(0);
  const keep = (next: Place) => remember(key + view, { place: next, heights, y: window.scrollY, walked });

  const onScroll = useEffectEvent(() => {
    // while another entry is on its way, the browser scrolls for that one
    if (!list.current || (history.state?.key ?? "default") !== key) return;
    rounds.current = 0;
    const next = placeOf(list.current.getBoundingClientRect().top, heights, count);
    keep(next);
    // frames go on while items are made ready; those that are near come first to an end
    if (!isSame(next, place)) startTransition(() => setPlace(next));
    if (next.to >= count) onEnd();
  });

  const settle = useEffectEvent(() => {
    if (!list.current || (history.state?.key ?? "default") !== key) return;
    const shift = measure(list.current, heights);
    // what is seen stays in its place; the browser's own way of keeping it there takes the spare room for what is seen
    if (Math.abs(shift) >= 1) window.scrollBy(0, shift);
    const next = placeOf(list.current.getBoundingClientRect().top, heights, count);
    keep(next);
    if (!isSame(next, place) && rounds.current++ < mostRounds) setPlace(next);
  });

  useLayoutEffect(() => {
    if (known && known.y > 0) window.scrollTo(0, known.y);
  }, [known]);
  useLayoutEffect(() => {
    rounds.current = 0;
  }, [count]);
  useLayoutEffect(() => settle(), [count, place, walked]);
  useEffect(() => {
    const onResize = () => {
      // hidden while another screen loads, it has no measures to take
      if (list.current?.getBoundingClientRect().height === 0) return;
      heights.px.length = 0;
      rounds.current = 0;
      settle();
    };
    const onFocus = ({ target }: FocusEvent) => {
      const id = target instanceof HTMLElement && list.current?.contains(target) && target.dataset["sop"];
      if (id) walk(id);
    };
    const onScrolled = () => onScroll();
    window.addEventListener("scroll", onScrolled, { passive: true });
    window.addEventListener("resize", onResize);
    window.addEventListener("focusin", onFocus);
    return () => {
      window.removeEventListener("scroll", onScrolled);
      window.removeEventListener("resize", onResize);
      window.removeEventListener("focusin", onFocus);
    };
  }, [heights]);
  return { list, place, walked, walk };
}

/** Parts of a pixel are no other place: drawing it anew would move it by as little again, for ever. */
function isSame(one: Place, other: Place): boolean {
  return (
    one.from === other.from &&
    one.to === other.to &&
    Math.abs(one.above - other.above) < 1 &&
    Math.abs(one.below - other.below) < 1 &&
    Math.abs(one.total - other.total) < 1
  );
}

/** A row of cards, or two lines. */
const groupOf = (list: HTMLElement) => Math.max(2, getComputedStyle(list).gridTemplateColumns.split(" ").length);

/** @returns by how much what is above the window's edge is higher than was thought */
function measure(list: HTMLElement, heights: Heights): number {
  const group = groupOf(list);
  if (group !== heights.group) Object.assign(heights, { group, px: [] });
  const gap = Number.parseFloat(getComputedStyle(list).rowGap) || 0;
  const thought = usual(heights);
  let shift = 0;
  let first: HTMLElement | null = null;
  for (const item of list.querySelectorAll<HTMLElement>("[aria-posinset]")) {
    const at = Number(item.getAttribute("aria-posinset")) - 1;
    if (at % group === 0) first = item;
    if (!first || (at % group !== group - 1 && item.nextElementSibling?.hasAttribute("aria-posinset"))) continue;
    const { top } = first.getBoundingClientRect();
    const height = item.getBoundingClientRect().bottom + gap - top;
    const index = Math.floor(at / group);
    if (top < 0) shift += height - (heights.px[index] ?? thought);
    heights.px[index] = height;
  }
  return shift;
}

/** An average would change with every group that is measured, and move all that follow. */
const usual = ({ px }: Heights) => px.find(Boolean) ?? 0;

/** @param top where the list begins, from the upper edge of the window */
function placeOf(top: number, heights: Heights, count: number): Place {
  const { group, px } = heights;
  const thought = usual(heights);
  const place = { from: 0, to: 0, above: 0, below: 0, total: 0 };
  for (let at = 0, y = top; at < count; at += group) {
    const height = px[at / group] ?? thought;
    y += height;
    place.total += height;
    if (y < -marginPx && at + group < count) {
      place.from = at + group;
      place.above += height;
    } else if (y - height <= window.innerHeight + marginPx || place.to === 0) place.to = at + group;
    else place.below += height;
  }
  return place;
}
