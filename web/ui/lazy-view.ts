/** Code that loads when it is first shown, and is shown at once where it is here already. */
import { createElement, lazy, useState, type ComponentType } from "react";

export interface Preloads {
  /** Starts loading, before it is needed; resolves when it is there, or can't be had. */
  preload(): Promise<void>;
}

/**
 * `lazyView(() => import("./EditForm.tsx").then((m) => m.EditForm))`. After a fallback React holds back what follows for
 * a third of a second, and its own `lazy` falls back to one for code that was loaded ahead too.
 * @param onFailed what is shown in its place; else the failure goes to the boundary above
 */
export function lazyView<P extends object>(
  load: () => Promise<ComponentType<P>>,
  onFailed?: (error: unknown) => Promise<never>,
): ComponentType<P> & Preloads {
  let here: ComponentType<P> | undefined;
  const get = async () => (here = await load());
  const Later = lazy(async () => ({ default: await get().catch(onFailed) })) as unknown as ComponentType<P>;
  function View(props: P) {
    // what is shown stays what it is: another component in its place would begin anew
    const [Shown] = useState<ComponentType<P>>(() => here ?? Later);
    return createElement(Shown, props);
  }
  return Object.assign(View, {
    preload: () =>
      get().then(
        () => undefined,
        () => undefined,
      ),
  });
}
