/**
 * A small script of its own that runs while React is still loading. It asks for what the address needs (the screen's code,
 * the signed-in user, the screen's data), so that they load side by side instead of one after the other.
 */
import "./no-eval.ts";
import { prefetch } from "./prefetched-reads.ts";
import { preloadScreen, protectedScreens, screenAt, shellReads } from "./screens.ts";

const { pathname, search } = window.location;

async function prefetchReads(): Promise<void> {
  const screen = screenAt(protectedScreens, pathname);
  const check = await prefetch("/api/auth/check");
  const { authenticated } = (await check.json()) as { authenticated?: boolean };
  if (!screen || !authenticated) return;
  // a query in the address is the screen's own: its data can't be known here
  const reads = search === "" ? (screen.reads?.(pathname) ?? []) : [];
  await Promise.all([...shellReads, ...reads].map(prefetch));
}

// a read that fails here is repeated by the part that needs it, which shows the failure
prefetchReads().catch(() => undefined);
void preloadScreen(pathname);
