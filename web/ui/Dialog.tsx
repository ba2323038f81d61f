import { lazy, Suspense } from "react";
import type { DialogProps } from "./DialogWindow.tsx";
import { useOnceOpen } from "./use-once-open.ts";
import { useReturnFocus } from "./use-return-focus.ts";

const DialogWindow = lazy(() => import("./DialogWindow.tsx").then((module) => ({ default: module.DialogWindow })));

/** A window over the page. Its code loads when the first one opens: most screens are left without one. */
export function Dialog(props: DialogProps) {
  const returnFocus = useReturnFocus(props.open);
  if (!useOnceOpen(props.open)) return null;
  return (
    <Suspense fallback={null}>
      <DialogWindow {...props} returnFocus={returnFocus} />
    </Suspense>
  );
}
