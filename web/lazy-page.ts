/** Screens load when they are first shown; a chunk that a deploy took away is fetched by one reload. */
import { createElement, lazy, useState, type ComponentType } from "react";

export type LazyPage = ComponentType & {
  /** Starts loading, before it is needed; resolves when it is there, or can't be had. */
  preload(): Promise<void>;
};

const reloadedAt = "reloaded-for-chunk";

/** `lazyPage(() => import("./sops/SopsPage.tsx").then((m) => m.SopsPage))` */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let here: ComponentType | undefined;
  const get = async () => (here = await load());
  const Later = lazy(async () => ({ default: await get().catch(reloadOnce) }));
  // one that is here is shown at once: after a spinner React would hold it back for a third of a second
  function Page() {
    const [Shown] = useState<ComponentType>(() => here ?? Later);
    return createElement(Shown);
  }
  return Object.assign(Page, {
    preload: () =>
      get().then(
        () => undefined,
        () => undefined,
      ),
  });
}

function reloadOnce(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(reloadedAt) ?? 0);
  if (Date.now() - last < 60_000) throw error;
  sessionStorage.setItem(reloadedAt, String(Date.now()));
  window.location.reload();
  return new Promise(() => {});
}
