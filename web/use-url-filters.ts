/** The filters of a list live in the address: they survive a reload, Back, and being sent to a colleague. */
import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router-dom";

/** What each filter may be; one that may be anything (a search) is left out. */
type Choices<F> = Partial<Record<keyof F, readonly string[]>>;

/**
 * `defaults` stay out of the address; a value that is no choice counts as the default. Both must be constants.
 * `useUrlFilters({search: "", status: "active"}, {status: ["all", "active"]})`
 */
export function useUrlFilters<F extends Record<string, string>>(defaults: F, choices: Choices<F> = {}) {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => readFilters(params, defaults, choices), [params, defaults, choices]);

  /** Typing replaces the history entry, choosing makes a new one. */
  const set = useCallback(
    (change: Partial<F>, options: { replace?: boolean } = {}) =>
      setParams((current) => {
        const next = new URLSearchParams(current);
        for (const [name, value] of Object.entries(change)) {
          if (value === undefined || value === defaults[name]) next.delete(name);
          else next.set(name, value);
        }
        return next;
      }, options),
    [setParams, defaults],
  );
  const clear = useCallback(() => set(defaults), [set, defaults]);
  const isFiltered = Object.entries(filters).some(([name, value]) => value !== defaults[name]);
  return { filters, set, clear, isFiltered };
}

function readFilters<F extends Record<string, string>>(params: URLSearchParams, defaults: F, choices: Choices<F>): F {
  const read = (name: keyof F & string, fallback: string): string => {
    const value = params.get(name);
    if (value === null || choices[name]?.includes(value) === false) return fallback;
    return value;
  };
  return Object.fromEntries(Object.entries(defaults).map(([name, fallback]) => [name, read(name, fallback)])) as F;
}
