/** A row of tools. It is one tab stop, and arrow keys move between the tools. */
import { clsx } from "clsx";
import * as Radix from "radix-ui/toolbar";
import type { ComponentProps, ReactNode } from "react";
import { Tooltip } from "./Tooltip.tsx";

export function Toolbar({ label, className, ...props }: ComponentProps<typeof Radix.Root> & { label: string }) {
  return (
    <Radix.Root
      aria-label={label}
      {...props}
      className={clsx("flex flex-wrap items-center gap-0.5 border-line bg-surface p-1", className)}
    />
  );
}

const toolStyle =
  "inline-grid size-8 shrink-0 place-items-center rounded-sm text-muted transition-colors duration-150 not-disabled:hover:bg-sunken not-disabled:hover:text-text disabled:cursor-not-allowed disabled:opacity-45 aria-pressed:bg-primary-soft aria-pressed:text-primary pointer-coarse:size-11 [&_svg]:size-4";

interface ToolProps extends Omit<ComponentProps<"button">, "aria-label" | "children"> {
  /** Accessible name and tooltip. */
  label: string;
  shortcut?: string;
  /** True if a toggle is on (`aria-pressed`); absent for a plain button. */
  pressed?: boolean;
  /** The icon. */
  children: ReactNode;
}

export function Tool({ label, shortcut, pressed, children, className, ...props }: ToolProps) {
  return (
    <Tooltip content={label} shortcut={shortcut} sideAt={tooltipSideOf}>
      <Radix.Button
        aria-label={label}
        {...(pressed !== undefined && { "aria-pressed": pressed })}
        {...props}
        className={clsx(toolStyle, className)}
      >
        {children}
      </Radix.Button>
    </Tooltip>
  );
}

/**
 * Returns the side for a tool's tooltip: below the tool in the last of several rows, so that it covers no other row.
 */
function tooltipSideOf(tool: HTMLElement): "top" | "bottom" {
  const box = tool.getBoundingClientRect();
  const bar = tool.closest("[role=toolbar]")?.getBoundingClientRect() ?? box;
  return bar.bottom - box.bottom < box.top - bar.top - 1 ? "bottom" : "top";
}
