import { useLayoutEffect } from "react";

/** Tells when it is on the screen, and when no longer: what waits in one boundary with it is there too, its code included. */
export function OnScreen({ onChange }: { onChange(isShown: boolean): void }) {
  useLayoutEffect(() => {
    onChange(true);
    return () => onChange(false);
  }, [onChange]);
  return null;
}
