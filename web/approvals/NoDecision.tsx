import { Button } from "../ui/Button.tsx";
import { texts } from "./texts.ts";

interface NoDecisionProps {
  /** Why, or what it waits for. */
  reason: string;
  onRetry?: (() => void) | undefined;
}

/** In place of the decision: an approver decides only about the version on the screen. */
export function NoDecision({ reason, onRetry }: NoDecisionProps) {
  return (
    <output className="grid min-h-14 content-start justify-items-start gap-2 text-muted">
      {reason}
      {onRetry && (
        <Button size="sm" onClick={onRetry}>
          {texts.tryAgain}
        </Button>
      )}
    </output>
  );
}
