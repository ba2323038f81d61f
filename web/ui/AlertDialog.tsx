import { lazy, Suspense } from "react";
import type { AlertDialogProps } from "./AlertWindow.tsx";
import { useOnceOpen } from "./use-once-open.ts";
import { useReturnFocus } from "./use-return-focus.ts";

const AlertWindow = lazy(() => import("./AlertWindow.tsx").then((module) => ({ default: module.AlertWindow })));

/** A question that must be answered: focus starts on Cancel, a click outside does nothing. */
export function AlertDialog(props: AlertDialogProps) {
  const returnFocus = useReturnFocus(props.open);
  if (!useOnceOpen(props.open)) return null;
  return (
    <Suspense fallback={null}>
      <AlertWindow {...props} returnFocus={returnFocus} />
    </Suspense>
  );
}
