import { useEffect, type ReactNode } from "react";
import { preloadOverlays } from "./preload.ts";
import { ToastProvider } from "./Toast.tsx";
import { TooltipProvider } from "./Tooltip.tsx";

/** Tooltips and toasts need it above them; the shell has it, tests wrap with it. */
export function UiProvider({ children }: { children: ReactNode }) {
  useEffect(preloadOverlays, []);
  return (
    <TooltipProvider>
      <ToastProvider>{children}</ToastProvider>
    </TooltipProvider>
  );
}
