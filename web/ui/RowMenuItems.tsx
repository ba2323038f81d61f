import { clsx } from "clsx";
import { useRef, type ReactElement } from "react";
import { preloadOnAim } from "../intent.ts";
import { DropdownMenu, MenuItem, MenuSeparator } from "./DropdownMenu.tsx";
import type { RowAction } from "./RowMenu.tsx";

interface RowMenuItemsProps {
  trigger: ReactElement;
  actions: readonly RowAction[];
}

/** Opens as it appears: it appears because it was asked for. */
export function RowMenuItems({ trigger, actions }: RowMenuItemsProps) {
  const chosen = useRef<(() => void) | null>(null);
  // after the menu is closed and its button has the focus again: a dialog remembers who had it
  const run = () => {
    chosen.current?.();
    chosen.current = null;
  };
  return (
    <DropdownMenu trigger={trigger} defaultOpen onCloseAutoFocus={run}>
      {actions.map(({ label, icon, destructive = false, refusal, separated, preload, onSelect }) => (
        <div key={label} {...(preload && preloadOnAim(preload))}>
          {separated && <MenuSeparator />}
          <MenuItem
            destructive={destructive && refusal === undefined}
            refused={refusal !== undefined}
            icon={icon}
            onSelect={() => {
              chosen.current = onSelect;
            }}
          >
            <span className={clsx(refusal !== undefined && "text-muted")}>
              {label}
              {refusal !== undefined && <span className="block max-w-56 text-xs">{refusal}</span>}
            </span>
          </MenuItem>
        </div>
      ))}
    </DropdownMenu>
  );
}
