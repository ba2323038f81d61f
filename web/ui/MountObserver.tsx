import { useLayoutEffect } from "react";

/** Tells when it is on the screen, and when no longer: put into what it is about, whose code may fail to come. */
export function MountObserver({ onChange }: { onChange(isShown: boolean): void }) {
  useLayoutEffect(() => {
    onChange(true);
    return () => onChange(false);
  }, [onChange]);
  return null;
}
