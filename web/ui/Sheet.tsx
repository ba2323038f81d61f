import { lazy, Suspense } from "react";
import type { SheetProps } from "./SheetWindow.tsx";
import { useOnceOpen } from "./use-once-open.ts";

const SheetWindow = lazy(() => import("./SheetWindow.tsx").then((module) => ({ default: module.SheetWindow })));

/** A panel that slides in from a side: navigation on small screens, details. */
export function Sheet(props: SheetProps) {
  if (!useOnceOpen(props.open)) return null;
  return (
    <Suspense fallback={null}>
      <SheetWindow {...props} />
    </Suspense>
  );
}
