import { Button } from "../ui/Button.tsx";
import { texts } from "./texts.ts";

interface DecisionUnavailableProps {
  /** Why the user can't decide now. */
  reason: string;
  /** Loads the text again; absent while it loads. */
  onRetry?: (() => void) | undefined;
}

/**
 * Replaces the decision buttons while the submitted version isn't on screen, because an approver can decide only about
 * the version on screen.
 */
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
