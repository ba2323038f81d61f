/** Screens load when they are first shown; a chunk that a deploy took away is fetched by one reload. */
import type { FunctionComponent } from "react";
import { lazyCode } from "./ui/lazy-code.ts";

const reloadedAt = "reloaded-for-chunk";

/** `lazyPage(() => import("./sops/SopsPage.tsx").then((m) => m.SopsPage))` */
export function lazyPage(load: () => Promise<FunctionComponent>) {
  return lazyCode(load, reloadOnce);
}

function reloadOnce(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(reloadedAt) ?? 0);
  if (Date.now() - last < 60_000) throw error;
  sessionStorage.setItem(reloadedAt, String(Date.now()));
  window.location.reload();
  return new Promise(() => {});
}
