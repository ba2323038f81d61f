/** Keeps a list's filters in the address, so that they survive a reload and Back, and can be shared as a link. */
import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router-dom";

/** The allowed values of each filter. A filter with free text, such as a search, is left out. */
type FilterChoices<F> = Partial<Record<keyof F, readonly string[]>>;

/**
 * Reads and sets filters, as in `useUrlFilters({search: "", status: "active"}, {status: ["all", "active"]})`. Defaults
 * stay out of the address, and a value that isn't allowed counts as the default. Both arguments must be constants.
 */
export function useUrlFilters<F extends Record<string, string>>(defaults: F, choices: FilterChoices<F> = {}) {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => readUrlFilters(params, defaults, choices), [params, defaults, choices]);

  /**
   * Sets filters and adds an entry to the browser's history. For typed filters, `replace` changes the current entry
   * instead.
   */
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

function readUrlFilters<F extends Record<string, string>>(
  params: URLSearchParams,
  defaults: F,
  choices: FilterChoices<F>,
): F {
  const readParameter = (name: keyof F & string, fallback: string): string => {
    const value = params.get(name);
    if (value === null || choices[name]?.includes(value) === false) return fallback;
    return value;
  };
  return Object.fromEntries(
    Object.entries(defaults).map(([name, fallback]) => [name, readParameter(name, fallback)]),
  ) as F;
}
