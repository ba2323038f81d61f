/** Screens load when they are first shown; a chunk that a deploy took away is fetched by one reload. */
import { lazy, type ComponentType, type LazyExoticComponent } from "react";

export type LazyPage = LazyExoticComponent<ComponentType> & {
  /** Starts loading, before it is needed. */
  preload(): void;
};

const reloadedAt = "reloaded-for-chunk";

/** `lazyPage(() => import("./sops/SopsPage.tsx").then((m) => m.SopsPage))` */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  const page = lazy(async () => ({ default: await load().catch(reloadOnce) }));
  return Object.assign(page, { preload: () => void load().catch(() => undefined) });
}

function reloadOnce(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(reloadedAt) ?? 0);
  if (Date.now() - last < 60_000) throw error;
  sessionStorage.setItem(reloadedAt, String(Date.now()));
  window.location.reload();
  return new Promise(() => {});
}
