import type { DialogProps } from "./DialogWindow.tsx";
import { lazyPart } from "./lazy-part.tsx";
import { useOnceOpen } from "./use-once-open.ts";
import { useReturnFocus } from "./use-return-focus.ts";

const DialogWindow = lazyPart(() => import("./DialogWindow.tsx").then((module) => module.DialogWindow));
export const preloadDialog = DialogWindow.preload;

/** A window over the page. Its code loads when the first one opens: most screens are left without one. */
export function Dialog(props: DialogProps) {
  const returnFocus = useReturnFocus(props.open);
  const [wasOpen, forget] = useOnceOpen(props.open);
  if (!wasOpen) return null;
  const giveUp = () => {
    forget();
    props.onOpenChange(false);
  };
  return <DialogWindow {...props} onClose={giveUp} returnFocus={returnFocus} />;
}
