import type { SheetProps } from "./SheetWindow.tsx";
import { lazyPart } from "./lazy-part.tsx";
import { useOnceOpen } from "./use-once-open.ts";

const SheetWindow = lazyPart(() => import("./SheetWindow.tsx").then((module) => module.SheetWindow));
export const preloadSheet = SheetWindow.preload;

/** A panel that slides in from a side: navigation on small screens, details. */
export function Sheet(props: SheetProps) {
  const [wasOpen, forget] = useOnceOpen(props.open);
  if (!wasOpen) return null;
  const giveUp = () => {
    forget();
    props.onOpenChange(false);
  };
  return <SheetWindow {...props} onClose={giveUp} />;
}
