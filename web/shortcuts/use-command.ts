/** Components register the commands that they can run while on screen. One listener handles all keys. */
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { useStoredChoice } from "../ui/use-stored.ts";
import { keyChordOf, typingFieldOf } from "./keys.ts";
import { commands, type KeyboardCommand, type CommandId } from "./registry.ts";

type RunCommand = () => void;

const runsByCommand = new Map<CommandId, RunCommand[]>();
const listeners = new Set<() => void>();
let live: readonly CommandId[] = [];

function setCommandRuns(id: CommandId, runs: RunCommand[]): void {
  runsByCommand.set(id, runs);
  live = (Object.keys(commands) as CommandId[]).filter((one) => (runsByCommand.get(one)?.length ?? 0) > 0);
  for (const listener of listeners) listener();
}

/**
 * Registers a command while the component is on screen, as in `useCommand("edit", mayEdit ? () => navigate(…) : null)`.
 */
export function useCommand(id: CommandId, run: RunCommand | null): void {
  const onRun = useEffectEvent(() => run?.());
  const can = run !== null;
  useEffect(() => {
    if (!can) return undefined;
    const runOwn = () => onRun();
    setCommandRuns(id, [...(runsByCommand.get(id) ?? []), runOwn]);
    return () =>
      setCommandRuns(
        id,
        (runsByCommand.get(id) ?? []).filter((other) => other !== runOwn),
      );
  }, [id, can]);
}

/**
 * Runs a command. The latest registration wins, so a dialog comes before its page.
 * @returns whether a component could run it
 */
export function runCommand(id: CommandId): boolean {
  const run = runsByCommand.get(id)?.at(-1);
  run?.();
  return run !== undefined;
}

function subscribeToCommands(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the commands that can run now, in the registry's order. */
export function useLiveCommands(): readonly CommandId[] {
  return useSyncExternalStore(subscribeToCommands, () => live);
}

/**
 * Returns whether shortcuts without Ctrl or ⌘ are on, and a function to turn them on or off. Users of speech input need
 * them off, because speech types such keys (WCAG 2.1.4).
 */
export function useSingleKeys() {
  return useStoredChoice("single-keys", ["on", "off"], "on");
}

const secondKeyWithinMs = 1_500;
const entries = Object.entries(commands) as [CommandId, KeyboardCommand][];

/** Listens to all keys. Only the frame of all screens calls this. */
export function useShortcutKeys(): void {
  const [singleKeys] = useSingleKeys();
  useEffect(() => {
    let first = { key: "", at: -Infinity };
    const onKey = (event: KeyboardEvent): void => {
      const chord = event.defaultPrevented || event.isComposing ? null : keyChordOf(event);
      // A busy page handles keys late, so this compares the times at which they were pressed.
      const before = event.timeStamp - first.at < secondKeyWithinMs ? `${first.key} ` : "";
      first = { key: "", at: -Infinity };
      if (chord === null) return;
      const isSingle = !chord.startsWith("Mod+");
      const field = typingFieldOf(event.target);
      if (isSingle && (field !== "none" || singleKeys === "off")) return;
      if (document.querySelector("[data-overlay]")) return;
      const named = entries.filter(([, { keys, sheetOnly }]) => keys === before + chord && sheetOnly !== true);
      const matched = named.find(([id]) => live.includes(id)) ?? named[0];
      // A field of several lines has its own shortcuts.
      if (field === "text" && matched?.[1].whileWriting !== true) return;
      const isPalette = chord === commands.palette.keys;
      if (matched ? runCommand(matched[0]) : isPalette && runCommand("palette")) event.preventDefault();
      else if (isSingle && entries.some(([, { keys }]) => keys?.startsWith(`${chord} `))) {
        first = { key: chord, at: event.timeStamp };
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [singleKeys]);
}
