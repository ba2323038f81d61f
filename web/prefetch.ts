/**
 * A small script that runs while React is still loading. It requests everything that the address needs (code, the
 * signed-in user, the screen's data), so that all of it loads at the same time.
 */
import "./no-eval.ts";
import { prefetchRead } from "./prefetched-reads.ts";
import { preloadScreen, protectedScreens, screenForPath, shellReads } from "./screens.ts";

const { pathname, search } = window.location;

async function prefetchReads(): Promise<void> {
  const screen = screenForPath(protectedScreens, pathname);
  const check = await prefetchRead("/api/auth/check");
  const { authenticated } = (await check.json()) as { authenticated?: boolean };
  if (!screen || !authenticated) return;
  // With a query in the address, only the screen itself knows which data it needs.
  const reads = search === "" ? (screen.reads?.(pathname) ?? []) : [];
  await Promise.all([...shellReads, ...reads].map(prefetchRead));
}

// The component that needs the data repeats a failed read and shows the failure.
prefetchReads().catch(() => undefined);
void preloadScreen(pathname);
