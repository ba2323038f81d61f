import { useState } from "react";

/** Was it ever open? What never was needs no code yet. */
export function useOnceOpen(open: boolean): boolean {
  const [once, setOnce] = useState(open);
  if (open && !once) setOnce(true);
  return once || open;
}
