import type { AlertDialogProps } from "./AlertWindow.tsx";
import { lazyPart } from "./lazy-part.tsx";
import { useOnceOpen } from "./use-once-open.ts";
import { useReturnFocus } from "./use-return-focus.ts";

const AlertWindow = lazyPart(() => import("./AlertWindow.tsx").then((module) => module.AlertWindow));
export const preloadAlertDialog = AlertWindow.preload;

/** A question that must be answered: focus starts on Cancel, a click outside does nothing. */
export function AlertDialog(props: AlertDialogProps) {
  const returnFocus = useReturnFocus(props.open);
  const [wasOpen, forget] = useOnceOpen(props.open);
  if (!wasOpen) return null;
  const giveUp = () => {
    forget();
    props.onOpenChange(false);
  };
  return <AlertWindow {...props} onClose={giveUp} returnFocus={returnFocus} />;
}
