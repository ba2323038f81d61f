/** What windows, menus, parts of a page and whole screens share: each loads when it is first shown. */
import { createElement, lazy, useEffect, useState, type FunctionComponent } from "react";

export interface Preloads {
  /** Starts loading, before it is needed; resolves when it is there, or can't be had. */
  preload(): Promise<void>;
}

/** For what stands in the place of code that could not be loaded. */
export interface Missed {
  /** Asks for it once more. */
  again(): void;
}

const nothing = () => undefined;

/**
 * Code that is here is shown at once: React's own `lazy` falls back to a spinner for it, and after a spinner React holds
 * back what follows for a third of a second; and it never asks again for what failed once.
 * @param instead what is shown where it can't be had; what it throws goes to the boundary above
 */
export function lazyCode<P extends object>(
  load: () => Promise<FunctionComponent<P>>,
  instead: (error: unknown) => FunctionComponent<P & Missed> | Promise<never>,
): FunctionComponent<P> & Preloads {
  let here: FunctionComponent<P> | undefined;
  let asked: FunctionComponent<P> | undefined;
  const get = async () => (here ??= await load());
  const later = () => lazy(async () => ({ default: await get().catch(instead) })) as unknown as FunctionComponent<P>;
  const latest = () => here ?? (asked ??= later());
  function Code(props: P) {
    // what is shown stays what it is: another component in its place would begin anew
    const [shown, show] = useState(latest);
    // it came or it failed: who is next has it, or asks once more
    useEffect(() => void (asked = undefined), [shown]);
    return createElement(shown, { ...props, again: () => show(latest) });
  }
  return Object.assign(Code, { preload: () => get().then(nothing, nothing) });
}
