import type { ReactNode } from "react";
import { Spinner } from "./Spinner.tsx";

/** A part of a screen, or of a window, that waits, and says what for. */
export function LoadingMessage({ children }: { children: ReactNode }) {
  return (
    <output className="flex items-center justify-center gap-2 py-12 text-muted">
      <Spinner />
      {children}
    </output>
  );
}
