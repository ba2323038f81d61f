/** The little of IndexedDB that drafts need, in memory: jsdom has none. Values are copies, as they are there. */
import { vi } from "vitest";

/** @returns what is stored, by key @param isFull what is written fails when its transaction ends, as on a full disk */
export function installIndexedDb({ isFull = (): boolean => false } = {}): Map<string, unknown> {
  const stored = new Map<string, unknown>();
  const request = (result: () => unknown) => {
    const target = Object.assign(new EventTarget(), { result: undefined as unknown });
    queueMicrotask(() => {
      target.result = result();
      target.dispatchEvent(new Event("success"));
    });
    return target;
  };
  const keys = () => [...stored.keys()].toSorted();
  const store = {
    get: (key: string) => request(() => structuredClone(stored.get(key))),
    getAll: () => request(() => keys().map((key) => structuredClone(stored.get(key)))),
    getAllKeys: () => request(keys),
    put: (value: unknown, key: string) => request(() => isFull() || stored.set(key, structuredClone(value))),
    delete: (key: string) => request(() => stored.delete(key)),
  };
  const transaction = () => {
    const target = Object.assign(new EventTarget(), { objectStore: () => store, error: null });
    queueMicrotask(() => target.dispatchEvent(new Event(isFull() ? "abort" : "complete")));
    return target;
  };
  const database = { transaction, close() {} };
  vi.stubGlobal("indexedDB", { open: () => request(() => database) });
  return stored;
}
