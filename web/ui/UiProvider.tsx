import type { ReactNode } from "react";
import { ToastProvider } from "./Toast.tsx";
import { TooltipProvider } from "./Tooltip.tsx";

/** Provides tooltips and toasts. The shell contains it, and tests wrap components in it. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <TooltipProvider>
      <ToastProvider>{children}</ToastProvider>
    </TooltipProvider>
  );
}
