import type { ReactNode } from "react";
import { Spinner } from "./Spinner.tsx";

/** A text that says what a part of a screen or dialog is loading. */
export function LoadingMessage({ children }: { children: ReactNode }) {
  return (
    <output className="flex items-center justify-center gap-2 py-12 text-muted">
      <Spinner />
      {children}
    </output>
  );
}
