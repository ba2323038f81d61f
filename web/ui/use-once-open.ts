import { useState } from "react";

/**
 * Was it ever open? What never was needs no code yet.
 * @returns and how to take that back: its code could not be loaded, and is asked for again when it opens again
 */
export function useOnceOpen(open: boolean): [wasOpen: boolean, forget: () => void] {
  const [once, setOnce] = useState(open);
  if (open && !once) setOnce(true);
  return [once || open, () => setOnce(false)];
}
