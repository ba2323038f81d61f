import type { ReactNode } from "react";
import { Button, type ButtonProps } from "./Button.tsx";
import { Tooltip } from "./Tooltip.tsx";

export interface IconButtonProps extends Omit<ButtonProps, "children" | "size" | "asChild"> {
  /** The accessible name and tooltip. */
  label: string;
  /** The shortcut shown in the tooltip, such as `Mod+S`. */
  shortcut?: string;
  size?: "sm" | "md";
  children: ReactNode;
}

/** A button that shows only an icon and always has a name. It needs `UiProvider` above it. */
export function IconButton({ label, shortcut, size = "md", variant = "soft", children, ...props }: IconButtonProps) {
  return (
    <Tooltip content={label} shortcut={shortcut}>
      <Button aria-label={label} variant={variant} size={size === "sm" ? "icon-sm" : "icon"} {...props}>
        {children}
      </Button>
    </Tooltip>
  );
}
