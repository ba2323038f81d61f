/**
 * For React's `lazy`: a part whose code is loaded already. A promise, settled or not, would make React show a fallback first,
 * and then keep it for 300 ms.
 */
export function loadedPart<T>(part: T): Promise<{ default: T }> {
  const loaded = { default: part };
  // `lazy` takes any object with a `then` method, and reads what it was given before `then` returns
  // oxlint-disable-next-line unicorn/no-thenable -- that is its purpose
  return { then: (use: (value: typeof loaded) => void) => use(loaded) } as unknown as Promise<typeof loaded>;
}
