/**
 * Gives React's `lazy` a part whose code has already loaded. With a promise, even a settled one, React would first show
 * a fallback for 300 ms.
 */
export function loadedPart<T>(part: T): Promise<{ default: T }> {
  const loaded = { default: part };
  // `lazy` takes any object with a `then` method, and reads the value that `then` passed on before it returned.
  // oxlint-disable-next-line unicorn/no-thenable -- that is its purpose
  return { then: (use: (value: typeof loaded) => void) => use(loaded) } as unknown as Promise<typeof loaded>;
}
