import { useMemo, useRef } from "react";
import { useListKeys } from "../../approvals/use-list-keys.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { SopItems, type SopsProps } from "./SopList.tsx";
import { useRestoredPosition, useListPosition } from "./use-list-position.ts";
import { useSelection } from "./use-selection.ts";
import { useVirtualRows, type Rows } from "./use-virtual-rows.ts";

const SelectionBar = lazyPart(() => import("./SelectionBar.tsx").then((module) => module.SelectionBar));

const layouts = {
  grid: { estimate: 280, gap: 16, overscan: 2 },
  list: { estimate: 37, gap: 0, overscan: 12 },
} as const;

/** Renders only the rows near the screen, for lists of any length. */
export function VirtualSops({ sops, view, hasMore, onEnd }: SopsProps) {
  const list = useRef<HTMLUListElement>(null);
  const ids = useMemo(() => sops.map(({ id }) => id), [sops]);
  const place = useListPosition<Rows>(view);
  const { columns, measure, from, to, above, below, toRemember } = useVirtualRows(list, ids, {
    ...layouts[view],
    known: place.known,
    onEnd,
  });
  const { focusedId, setFocusedId } = useRestoredPosition(list, place, toRemember);
  useListKeys(ids.slice(from, to), focusedId, setFocusedId);
  const selection = useSelection(list, sops, focusedId, view === "list");
  return (
    <>
      <SopItems
        list={list}
        style={{ overflowAnchor: "none", paddingTop: above, paddingBottom: below }}
        itemRef={(at) => (at % columns === 0 ? measure : undefined)}
        rowOf={(at) => Math.floor(at / columns)}
        sops={sops}
        from={from}
        to={to}
        view={view}
        hasMore={hasMore}
        selection={selection}
      />
      {selection?.isOn && <SelectionBar selection={selection} />}
    </>
  );
}
