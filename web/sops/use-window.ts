/** Of a long list only what is near the screen is in the page: 10,000 SOPs are 1,500 nodes at most (design/web.md). */
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";

/** Items come and go by as many: whole rows of one, two and three. */
const group = 6;
const marginPx = 300;

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

interface Visit {
  place: Place;
  /** Of each group that was ever in the page, with the gap below it. */
  heights: number[];
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
  const [heights] = useState(() => known?.heights ?? []);
  const [place, setPlace] = useState<Place>(known?.place ?? { from: 0, to: 4 * group, above: 0, below: 0, total: 0 });
  const [walked, walk] = useState(known?.walked ?? "");

  const look = useEffectEvent((isScrolled: boolean) => {
    // while another entry is on its way, the browser scrolls for that one
    if (!list.current || (history.state?.key ?? "default") !== key) return;
    const shift = measure(list.current, heights);
    // what is seen stays in its place; the browser's own way of keeping it there takes the spare room for what is seen
    if (shift !== 0) window.scrollBy(0, shift);
    const next = placeOf(list.current.getBoundingClientRect().top, heights, count);
    remember(key + view, { place: next, heights, y: window.scrollY, walked });
    if (JSON.stringify(next) !== JSON.stringify(place)) setPlace(next);
    if (isScrolled && next.to >= count) onEnd();
  });

  useLayoutEffect(() => {
    if (known && known.y > 0) window.scrollTo(0, known.y);
  }, [known]);
  useLayoutEffect(() => look(false), [count, place, walked]);
  useEffect(() => {
    const onScroll = () => look(true);
    const onResize = () => {
      heights.length = 0;
      look(false);
    };
    const onFocus = ({ target }: FocusEvent) => {
      const id = target instanceof HTMLElement && list.current?.contains(target) && target.dataset["sop"];
      if (id) walk(id);
    };
    window.addEventListener("scroll", onScroll);
    window.addEventListener("resize", onResize);
    window.addEventListener("focusin", onFocus);
    return () => {
      window.removeEventListener("scroll", onScroll);
      window.removeEventListener("resize", onResize);
      window.removeEventListener("focusin", onFocus);
    };
  }, [heights]);
  return { list, place, walked, walk };
}

/** @returns by how much what is above the window's edge is higher than was thought */
function measure(list: HTMLElement, heights: number[]): number {
  const items = [...list.querySelectorAll<HTMLElement>("[aria-posinset]")];
  const gap = Number.parseFloat(getComputedStyle(list).rowGap) || 0;
  const thought = usual(heights);
  let shift = 0;
  for (let at = 0; at < items.length; at += group) {
    const [first, last] = [items[at], items[at + group - 1] ?? items.at(-1)];
    if (!first || !last) break;
    const index = (Number(first.getAttribute("aria-posinset")) - 1) / group;
    const height = last.offsetTop + last.offsetHeight + gap - first.offsetTop;
    if (first.getBoundingClientRect().top < 0) shift += height - (heights[index] ?? thought);
    heights[index] = height;
  }
  return shift;
}

/** An average would change with every group that is measured, and move all that follow. */
const usual = (heights: readonly number[]) => heights.find(Boolean) ?? 0;

/** @param top where the list begins, from the upper edge of the window */
function placeOf(top: number, heights: readonly number[], count: number): Place {
  const thought = usual(heights);
  const place = { from: 0, to: 0, above: 0, below: 0, total: 0 };
  for (let at = 0, y = top; at < count; at += group) {
    const height = heights[at / group] ?? thought;
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
