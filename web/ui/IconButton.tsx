import type { ReactNode } from "react";
import { Button, type ButtonProps } from "./Button.tsx";
import { Tooltip } from "./Tooltip.tsx";

export interface IconButtonProps extends Omit<ButtonProps, "children" | "size" | "asChild"> {
  /** Its accessible name and tooltip. */
  label: string;
  /** Shown in the tooltip: `Mod+S`. */
  shortcut?: string;
  size?: "sm" | "md";
  children: ReactNode;
}

/** A button whose face is one icon: never without a name. Needs `UiProvider` above it. */
export function IconButton({ label, shortcut, size = "md", variant = "soft", children, ...props }: IconButtonProps) {
  return (
    <Tooltip content={label} shortcut={shortcut}>
      <Button aria-label={label} variant={variant} size={size === "sm" ? "icon-sm" : "icon"} {...props}>
        {children}
      </Button>
    </Tooltip>
  );
}
