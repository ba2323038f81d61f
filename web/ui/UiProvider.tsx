import type { ReactNode } from "react";
import { ToastProvider } from "./Toast.tsx";
import { TooltipProvider } from "./Tooltip.tsx";

/** Tooltips and toasts need it above them; the shell has it, tests wrap with it. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <TooltipProvider>
      <ToastProvider>{children}</ToastProvider>
    </TooltipProvider>
  );
}
