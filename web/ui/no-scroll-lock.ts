/**
 * Stands in the build for the library by which Radix's modal menus keep the page from scrolling (`vite.config.ts`): it writes a
 * `<style>` element, which the content security policy forbids, so no menu or window of ours is one that uses it.
 */
import type { ReactNode } from "react";

export function RemoveScroll({ children }: { children: ReactNode }): ReactNode {
  return children;
}
