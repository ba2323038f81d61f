/** The little of IndexedDB that drafts need, in memory: jsdom has none. Values are copies, as they are there. */
import { vi } from "vitest";

/** @returns what is stored, by key @param isFull what is written fails when its transaction ends, as on a full disk */
export function installIndexedDb({ isFull = (): boolean => false } = {}): Map<string, unknown> {
  const kept = new Map<string, unknown>();
  const request = (result: () => unknown) => {
    const target = Object.assign(new EventTarget(), { result: undefined as unknown });
    queueMicrotask(() => {
      target.result = result();
      target.dispatchEvent(new Event("success"));
    });
    return target;
  };
  const keys = () => [...kept.keys()].toSorted();
  const store = {
    get: (key: string) => request(() => structuredClone(kept.get(key))),
    getAll: () => request(() => keys().map((key) => structuredClone(kept.get(key)))),
    getAllKeys: () => request(keys),
    put: (value: unknown, key: string) => request(() => isFull() || kept.set(key, structuredClone(value))),
    delete: (key: string) => request(() => kept.delete(key)),
  };
  const transaction = () => {
    const target = Object.assign(new EventTarget(), { objectStore: () => store, error: null });
    queueMicrotask(() => target.dispatchEvent(new Event(isFull() ? "abort" : "complete")));
    return target;
  };
  const database = { transaction, close() {} };
  vi.stubGlobal("indexedDB", { open: () => request(() => database) });
  return kept;
}
