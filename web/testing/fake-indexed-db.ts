/**
 * Simulates in memory the part of IndexedDB that drafts need, because jsdom has no IndexedDB. Stored values are copies,
 * as in a browser.
 */
import { vi } from "vitest";

/**
 * @param isFull whether transactions that write fail at their end, as on a full disk
 * @returns the stored values by key
 */
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
