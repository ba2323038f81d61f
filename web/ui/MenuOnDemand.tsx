import { cloneElement, Suspense, useState, type KeyboardEvent, type ReactElement, type ReactNode } from "react";

interface TriggerProps {
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
  onClick?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

interface MenuOnDemandProps {
  trigger: ReactElement<TriggerProps>;
  /** A lazy menu with the same trigger, open from the start. */
  children: ReactNode;
}

/** A button whose menu loads when it is first asked for: most screens are left without opening one. */
export function MenuOnDemand({ trigger, children }: MenuOnDemandProps) {
  const [wanted, setWanted] = useState(false);
  if (wanted) return <Suspense fallback={trigger}>{children}</Suspense>;
  const want = () => setWanted(true);
  return cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onClick: want,
    onKeyDown: ({ key }) => key === "ArrowDown" && want(),
  });
}
