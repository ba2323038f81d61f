import { FileText, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("ui.empty-state", {
  tryAgain: "Try Again",
});

interface EmptyStateProps {
  title: string;
  hint?: ReactNode;
  icon?: ReactNode;
  action?: ReactNode;
}

/** Shown if there is no content: says so and offers the next step. */
export function EmptyState({ title, hint, icon = <FileText />, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-2 border-y border-line px-6 py-12 text-center">
      <span aria-hidden className="text-muted [&_svg]:size-8 [&_svg]:stroke-[1.5]">
        {icon}
      </span>
      <p className="text-base font-semibold">{title}</p>
      {hint && <p className="max-w-prose text-sm text-muted">{hint}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  title: string;
  detail?: string | undefined;
  onRetry?: (() => void) | undefined;
}

/** Shown after an error: announces it at once and offers to try again. */
export function ErrorState({ title, detail, onRetry }: ErrorStateProps) {
  return (
    <div role="alert" className="grid justify-items-center gap-2 border-y border-destructive/50 px-6 py-12 text-center">
      <TriangleAlert aria-hidden className="size-8 stroke-[1.5] text-destructive" />
      <p className="text-base font-semibold">{title}</p>
      {detail && <p className="max-w-prose text-sm">{detail}</p>}
      {onRetry && (
        <Button className="mt-3" onClick={onRetry}>
          {texts.tryAgain}
        </Button>
      )}
    </div>
  );
}
