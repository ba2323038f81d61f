import { clsx } from "clsx";
import { Ellipsis } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { Button } from "./Button.tsx";
import { DropdownMenu, MenuItem, MenuSeparator } from "./DropdownMenu.tsx";

export interface RowAction {
  label: string;
  icon: ReactNode;
  destructive?: boolean;
  /**
   * The reason why the action isn't possible, shown below the label; undefined if it is possible. With a reason, the
   * item does nothing.
   */
  refusal?: string | undefined;
  /** True if a line separates the action from the one before it. */
  separated?: boolean;
  onSelect(): void;
}

/** A menu of actions on one record. A dialog opened by an action returns the focus to the menu's button. */
export function RowMenu({ label, actions }: { label: string; actions: readonly RowAction[] }) {
  const chosen = useRef<(() => void) | null>(null);
  // The action runs after the menu's button has the focus again, because a dialog remembers which element had it.
  const runChosen = () => {
    chosen.current?.();
    chosen.current = null;
  };
  const trigger = (
    <Button variant="ghost" size="icon-sm" aria-label={label}>
      <Ellipsis aria-hidden />
    </Button>
  );
  return (
    <DropdownMenu trigger={trigger} onCloseAutoFocus={runChosen}>
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
