import { useLayoutEffect } from "react";

/** Reports when it is mounted and unmounted. Put it inside lazy content to learn when that is really shown. */
export function MountObserver({ onChange }: { onChange(isShown: boolean): void }) {
  useLayoutEffect(() => {
    onChange(true);
    return () => onChange(false);
  }, [onChange]);
  return null;
}
