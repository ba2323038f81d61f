import { cloneElement, useState, type KeyboardEvent, type ReactElement, type ReactNode } from "react";
import { preloadOnAim } from "../intent.ts";

interface TriggerProps {
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
  onClick?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  onPointerEnter?: () => void;
  onFocus?: () => void;
}

/** What a lazy menu (`lazyPart`) gets besides its own. */
interface OnDemand {
  trigger: ReactElement<TriggerProps>;
  /** The button alone stands there until the menu is loaded. */
  waiting: ReactNode;
  onClose(): void;
}

interface MenuOnDemandProps {
  trigger: ReactElement<TriggerProps>;
  /** Asks for the menu's code, for who is about to open it. */
  preload(): Promise<unknown>;
  /** `{(menu) => <SomeMenu {...menu} />}`, open from the start. */
  children(menu: OnDemand): ReactNode;
}

/** A button whose menu loads when it is first asked for: most screens are left without opening one. */
export function MenuOnDemand({ trigger, preload, children }: MenuOnDemandProps) {
  const [wanted, setWanted] = useState(false);
  if (wanted) return children({ trigger, waiting: trigger, onClose: () => setWanted(false) });
  const want = () => setWanted(true);
  return cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onClick: want,
    onKeyDown: ({ key }) => key === "ArrowDown" && want(),
    ...preloadOnAim(preload),
  });
}
