/** The SOPs selected in a list by x, Shift+click or boxes. Rows stay selected when they aren't rendered. */
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState, type RefObject } from "react";
import type { ListedRow } from "#core/sops/list-schema.ts";
import { useMay } from "../../session.tsx";
import { typingFieldOf } from "../../shortcuts/keys.ts";
import { useCommand } from "../../shortcuts/use-command.ts";

export interface RowSelection {
  /** True if rows show boxes. */
  isOn: boolean;
  chosen: readonly ListedRow[];
  has(id: string): boolean;
  /** @param toHere whether to select all rows between the last selected one and this one */
  toggle(id: string, toHere: boolean): void;
  set(ids: readonly string[]): void;
}

const none: ReadonlySet<string> = new Set();

/** @param focusedId the id of the last focused row @returns null if the list doesn't support selection */
export function useSelection(
  list: RefObject<HTMLElement | null>,
  sops: readonly ListedRow[],
  focusedId: string,
  isOffered: boolean,
): RowSelection | null {
  const may = useMay();
  const isPossible = isOffered && may("sop.create");
  const [ids, setIds] = useState(none);
  const [isStarted, setStarted] = useState(false);
  const order = useRef<readonly string[]>([]);
  const last = useRef("");
  useEffect(() => {
    order.current = sops.map(({ id }) => id);
  }, [sops]);

  const toggle = useCallback((id: string, toHere: boolean) => {
    const [from, to] = [order.current.indexOf(last.current), order.current.indexOf(id)];
    last.current = id;
    setIds((before) => {
      const after = new Set(before);
      if (toHere && from !== -1 && before.size > 0) {
        for (const between of order.current.slice(Math.min(from, to), Math.max(from, to) + 1)) after.add(between);
      } else if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);
  const set = useCallback((next: readonly string[]) => {
    setIds(new Set(next));
    setStarted(false);
  }, []);

  const isOn = isStarted || ids.size > 0;
  useCommand(
    "select",
    isPossible
      ? () => {
          const { activeElement } = document;
          const isElsewhere = activeElement !== document.body && !list.current?.contains(activeElement);
          const focused = activeElement?.closest("li")?.querySelector<HTMLElement>("[data-sop]")?.dataset["sop"];
          const id = isElsewhere ? undefined : (focused ?? focusedId);
          if (id) toggle(id, false);
          else if (isOn) set([]);
          else setStarted(true);
        }
      : null,
  );
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || !isOn) return;
    if (typingFieldOf(event.target) !== "none" || document.querySelector("[data-overlay]")) return;
    set([]);
  });
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", handleKey);
    return () => window.removeEventListener("keydown", handleKey);
  }, []);

  const chosen = useMemo(() => sops.filter(({ id }) => ids.has(id)), [sops, ids]);
  return isPossible ? { isOn, chosen, has: (id) => ids.has(id), toggle, set } : null;
}
