import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { lazyPart } from "./lazy-part.tsx";
import { MenuOnDemand } from "./MenuOnDemand.tsx";

export interface RowAction {
  label: string;
  icon: ReactNode;
  destructive?: boolean;
  /** Why it can't be done: shown under the label, and the item does nothing. */
  refusal?: string | undefined;
  /** The one before it is of another kind: a line between them. */
  separated?: boolean;
  /** The code of what it opens, for who is about to choose it. */
  preload?: () => Promise<unknown>;
  onSelect(): void;
}

const RowMenuItems = lazyPart(() => import("./RowMenuItems.tsx").then((module) => module.RowMenuItems));

/** What can be done to one record. A dialog that an action opens gives the focus back to the menu's button. */
export function RowMenu({ label, actions }: { label: string; actions: readonly RowAction[] }) {
  const trigger = (
    <Button variant="ghost" size="icon-sm" aria-label={label}>
      <Ellipsis aria-hidden />
    </Button>
  );
  return (
    <MenuOnDemand trigger={trigger} preload={RowMenuItems.preload}>
      {(menu) => <RowMenuItems {...menu} actions={actions} />}
    </MenuOnDemand>
  );
}
