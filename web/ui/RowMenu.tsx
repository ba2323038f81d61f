import { clsx } from "clsx";
import { Ellipsis } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { Button } from "./Button.tsx";
import { DropdownMenu, MenuItem, MenuSeparator } from "./DropdownMenu.tsx";

export interface RowAction {
  label: string;
  icon: ReactNode;
  destructive?: boolean;
  /** Why it can't be done: shown under the label, and the item does nothing. */
  refusal?: string | undefined;
  /** A line separates it from the action before it. */
  separated?: boolean;
  onSelect(): void;
}

/** What can be done to one record. A dialog that an action opens gives the focus back to the menu's button. */
export function RowMenu({ label, actions }: { label: string; actions: readonly RowAction[] }) {
  const chosen = useRef<(() => void) | null>(null);
  // after the menu is closed and its button has the focus again: a dialog remembers which element had it
  const run = () => {
    chosen.current?.();
    chosen.current = null;
  };
  const trigger = (
    <Button variant="ghost" size="icon-sm" aria-label={label}>
      <Ellipsis aria-hidden />
    </Button>
  );
  return (
    <DropdownMenu trigger={trigger} onCloseAutoFocus={run}>
      {actions.map(({ label: text, icon, destructive = false, refusal, separated, onSelect }) => (
        <div key={text}>
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
              {text}
              {refusal !== undefined && <span className="block max-w-56 text-xs">{refusal}</span>}
            </span>
          </MenuItem>
        </div>
      ))}
    </DropdownMenu>
  );
}
