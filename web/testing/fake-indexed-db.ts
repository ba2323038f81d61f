/** The little of IndexedDB that drafts need, in memory: jsdom has none. Values are copies, as they are there. */
import { vi } from "vitest";

/** @returns what is stored, by key */
export function installIndexedDb(): Map<string, unknown> {
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
    put: (value: unknown, key: string) => request(() => kept.set(key, structuredClone(value))),
    delete: (key: string) => request(() => kept.delete(key)),
  };
  const database = { transaction: () => ({ objectStore: () => store }), close() {} };
  vi.stubGlobal("indexedDB", { open: () => request(() => database) });
  return kept;
}
