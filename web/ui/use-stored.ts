import { useCallback, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

function subscribeToStorage(listener: () => void) {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** Keeps a choice in this browser: one of `choices`, or `fallback` until the user chooses. */
export function useStoredChoice<T extends string>(
  key: string,
  choices: readonly T[],
  fallback: T,
): [value: T, set: (value: T) => void] {
  const stored = useSyncExternalStore(subscribeToStorage, () => readStoredValue(key));
  const set = useCallback((value: T) => writeStoredValue(key, value), [key]);
  return [choices.find((choice) => choice === stored) ?? fallback, set];
}

/** If the browser refuses storage (some private windows), the choice lasts as long as the page. */
const memory = new Map<string, string>();

function readStoredValue(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

function writeStoredValue(key: string, value: string) {
  try {
    localStorage.setItem(key, value);
  } catch {
    memory.set(key, value);
  }
  for (const listener of listeners) listener();
}
