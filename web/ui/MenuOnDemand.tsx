import { cloneElement, Suspense, useState, type KeyboardEvent, type ReactElement, type ReactNode } from "react";
import { preloadOnAim } from "../intent.ts";

interface TriggerProps {
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
  onClick?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  onPointerEnter?: () => void;
  onFocus?: () => void;
}

interface MenuOnDemandProps {
  trigger: ReactElement<TriggerProps>;
  /** Asks for the menu's code, for who is about to open it. */
  preload?: () => Promise<unknown>;
  /** A lazy menu with the same trigger, open from the start; `onClose` is for one whose code could not be loaded. */
  children: ReactNode | ((onClose: () => void) => ReactNode);
}

/** A button whose menu loads when it is first asked for: most screens are left without opening one. */
export function MenuOnDemand({ trigger, preload, children }: MenuOnDemandProps) {
  const [wanted, setWanted] = useState(false);
  if (wanted) {
    const menu = typeof children === "function" ? children(() => setWanted(false)) : children;
    return <Suspense fallback={trigger}>{menu}</Suspense>;
  }
  const want = () => setWanted(true);
  return cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onClick: want,
    onKeyDown: ({ key }) => key === "ArrowDown" && want(),
    ...(preload && preloadOnAim(preload)),
  });
}
