/** Renders only the rows near the screen. A shorter list renders all its rows, so that Ctrl+F finds them. */
import {
  defaultRangeExtractor,
  useWindowVirtualizer,
  type Range,
  type Virtualizer,
  type VirtualItem,
} from "@tanstack/react-virtual";
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useState, type RefObject } from "react";
import { flushSync } from "react-dom";
import { allRenderedAtMost } from "./use-sop-list.ts";

/** The state of the rows when the user left the list. */
export interface Rows {
  columns: number;
  /** Pixels from the top of the page to the list. */
  margin: number;
  sizes: VirtualItem[];
}

interface VirtualRowsOptions {
  /** The assumed height of a row in px until it is measured. */
  estimate: number;
  /** Space between rows in px. */
  gap: number;
  /** Rows rendered beyond each edge of the screen. */
  overscan: number;
  known: { y: number; rows: Rows } | undefined;
  /** Called when the user scrolls near the last items. */
  onEnd(): void;
}

const everyRow = ({ count }: Range) => Array.from({ length: count }, (_, row) => row);

/** Splits items into rows, as many per row as the list has columns. */
export function useVirtualRows(
  list: RefObject<HTMLElement | null>,
  ids: readonly string[],
  { estimate, gap, overscan, known, onEnd }: VirtualRowsOptions,
) {
  const [columns, setColumns] = useState(known?.rows.columns ?? 1);
  const [margin, setMargin] = useState(known?.rows.margin ?? 0);
  const isWhole = usePrinting() || ids.length <= allRenderedAtMost;
  const count = Math.ceil(ids.length / columns);

  // oxlint-disable-next-line react/incompatible-library -- the build has no React Compiler
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count,
    gap,
    overscan,
    scrollMargin: margin,
    estimateSize: () => estimate,
    measureElement: measuredRowHeight,
    getItemKey: useCallback((row: number) => ids[row * columns] ?? row, [ids, columns]),
    rangeExtractor: isWhole ? everyRow : defaultRangeExtractor,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    useFlushSync: false,
    ...(known && { initialOffset: known.y, initialMeasurementsCache: known.rows.sizes }),
  });

  const settle = useEffectEvent(() => {
    const box = list.current?.getBoundingClientRect();
    // A list that is hidden while another screen loads has no position.
    if (!list.current || !box || box.width === 0) return;
    setMargin(Math.round(box.top + window.scrollY));
    const found = getComputedStyle(list.current).gridTemplateColumns.split(" ").length;
    if (found === columns) return;
    setColumns(found);
    virtualizer.measure();
  });
  const scrolled = useEffectEvent(() => {
    if ((virtualizer.range?.endIndex ?? 0) + overscan >= count - 1) onEnd();
  });
  useLayoutEffect(() => settle(), [count]);
  useEffect(() => {
    const onScroll = () => scrolled();
    const onResize = () => settle();
    window.addEventListener("scroll", onScroll, { passive: true });
    window.addEventListener("resize", onResize);
    return () => {
      window.removeEventListener("scroll", onScroll);
      window.removeEventListener("resize", onResize);
    };
  }, []);

  const rows = virtualizer.getVirtualItems();
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    columns,
    /** Measures a row; attach it to the row's first item. */
    measure: virtualizer.measureElement,
    /** The range of rendered items: `[from, to)`. */
    from: (first?.index ?? 0) * columns,
    to: ((last?.index ?? -1) + 1) * columns,
    /** The space that items above and below take, in px. */
    above: first ? first.start - margin : 0,
    below: last ? virtualizer.getTotalSize() - (last.end - margin) : 0,
    toRemember: (): Rows => ({ columns, margin, sizes: virtualizer.takeSnapshot() }),
  };
}

/** Measures a row with fractions of a pixel. A hidden list has no heights, so the known ones stay. */
function measuredRowHeight(
  element: HTMLLIElement,
  _entry: ResizeObserverEntry | undefined,
  virtualizer: Virtualizer<Window, HTMLLIElement>,
): number {
  const { height } = element.getBoundingClientRect();
  const known = virtualizer.measurementsCache[virtualizer.indexFromElement(element)];
  return height || (known?.size ?? virtualizer.options.estimateSize(0));
}

/** Says whether the page is being printed. The component renders again before the browser takes the pages. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const setPrintingNow = (value: boolean) => flushSync(() => setPrinting(value));
    const beginPrinting = () => setPrintingNow(true);
    const endPrinting = () => setPrintingNow(false);
    const media = matchMedia("print");
    const followMedia = () => setPrintingNow(media.matches);
    window.addEventListener("beforeprint", beginPrinting);
    window.addEventListener("afterprint", endPrinting);
    media.addEventListener("change", followMedia);
    return () => {
      window.removeEventListener("beforeprint", beginPrinting);
      window.removeEventListener("afterprint", endPrinting);
      media.removeEventListener("change", followMedia);
    };
  }, []);
  return isPrinting;
}
