/**
 * Runs while the libraries are still on their way: it asks for what the address will need, who is signed in and the
 * screen's own code, which would otherwise come one after the other once everything is there.
 */
import "./no-eval.ts";
import { startRead } from "./head-start.ts";
import { loadShell, protectedScreens, publicScreens, screenAt, shellReads } from "./screens.ts";

const { pathname, search } = window.location;
const screen = screenAt(protectedScreens, pathname);
const open = screenAt(publicScreens, pathname);

/** A query in the address is the screen's own business. */
const reads = screen ? [...shellReads, ...((search === "" && screen.reads?.(pathname)) || [])] : [];

async function startReads(): Promise<void> {
  const check = await startRead("/api/auth/check");
  const { authenticated } = (await check.json()) as { authenticated?: boolean };
  if (authenticated) await Promise.all(reads.map(startRead));
}

if (screen || open) {
  // what fails here is asked for again by who needs it, and told there
  for (const part of [startReads(), open?.load(), screen?.load(), screen && loadShell()]) {
    void part?.catch(() => undefined);
  }
}
