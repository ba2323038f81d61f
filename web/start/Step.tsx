import { useEffect, type ReactNode } from "react";
import { useHeadingFocus } from "../shell/PageHeading.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { texts } from "./texts.ts";

interface StepProps {
  at: 1 | 2 | 3;
  title: string;
  text: string;
  failure?: string | null;
  /** The filled button. */
  next: string;
  busy?: boolean;
  disabled?: boolean;
  onNext(): void;
  onSkip?: () => void;
  children: ReactNode;
}

/** One question on a page: what it asks, its answer, and how to go on. */
export function Step({ at, title, text, failure, next, busy, disabled, onNext, onSkip, children }: StepProps) {
  const heading = useHeadingFocus(title);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the steps are one route: each starts at its heading
  }, [at]);
  return (
    <form
      className="mx-auto grid w-full max-w-xl grid-cols-[minmax(0,1fr)] gap-6 sm:pt-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onNext();
      }}
    >
      <div>
        <p className="mb-3 flex items-center gap-3 text-sm text-muted">
          {texts.step(at)}
          <span aria-hidden className="flex gap-1">
            {[1, 2, 3].map((step) => (
              <span key={step} className={`h-1 w-6 rounded-full ${step <= at ? "bg-primary" : "bg-line"}`} />
            ))}
          </span>
        </p>
        <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold tracking-tight sm:text-[2rem] sm:leading-10">
          {title}
        </h1>
        <p className="mt-2 text-base text-muted">{text}</p>
      </div>
      {failure && (
        <Alert tone="destructive" live>
          {failure}
        </Alert>
      )}
      {children}
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:items-center">
        {onSkip && (
          <Button variant="ghost" onClick={onSkip}>
            {texts.skip}
          </Button>
        )}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          busy={busy ?? false}
          disabled={disabled ?? false}
          className="sm:ml-auto"
        >
          {next}
        </Button>
      </div>
    </form>
  );
}
