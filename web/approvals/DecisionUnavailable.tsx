import { Button } from "../ui/Button.tsx";
import { texts } from "./texts.ts";

interface DecisionUnavailableProps {
  /** Why, or what it waits for. */
  reason: string;
  onRetry?: (() => void) | undefined;
}

/** In place of the decision: an approver decides only about the version on the screen. */
export function DecisionUnavailable({ reason, onRetry }: DecisionUnavailableProps) {
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
