import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { timeUntil } from "../ui/time.ts";
import type { AiFailure } from "./ai-failure.ts";
import { texts } from "./texts.ts";
import { useAssistantPanel } from "./use-panel.ts";

interface AiFailureNoticeProps {
  failure: AiFailure;
  onRetry(): void;
}

/**
 * Shows a failed AI request beside its form, with ways to solve the problem. The notice stays after the toast is gone.
 */
export function AiFailureNotice({ failure, onRetry }: AiFailureNoticeProps) {
  const seconds = useSecondsUntil(failure.retryAt);
  return (
    <Alert
      tone="destructive"
      actions={
        <>
          {failure.isAboutKey && <AiSettingsLink />}
          <Button size="sm" disabled={seconds > 0} onClick={onRetry}>
            {texts.retry}
          </Button>
        </>
      }
    >
      {failure.text}
      {failure.retryAt !== null && (
        <span className="block tabular-nums">
          {seconds > 0 ? texts.wait({ when: timeUntil(seconds) }) : texts.waitOver}
        </span>
      )}
    </Alert>
  );
}

/** A link to the AI settings. It closes the panel, which would cover the settings page. */
function AiSettingsLink() {
  const { close } = useAssistantPanel();
  return (
    <Button asChild size="sm">
      <Link to="/settings#ai" onClick={close}>
        {texts.setup}
      </Link>
    </Button>
  );
}

/** Counts the seconds until a time in milliseconds since 1970; 0 if the time is null or over. */
function useSecondsUntil(moment: number | null): number {
  const [now, setNow] = useState(Date.now);
  const left = moment === null ? 0 : Math.max(0, Math.ceil((moment - now) / 1000));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isOver, moment]);
  return left;
}
