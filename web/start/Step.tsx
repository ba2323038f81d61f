import { useEffect, type ReactNode } from "react";
import { Logo } from "../shell/Logo.tsx";
import { useHeadingFocus } from "../shell/PageHeading.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { texts } from "./texts.ts";

interface StepProps {
  at: 1 | 2 | 3;
  title: string;
  text: string;
  failure?: string | null;
  /** The label of the primary button. */
  next: string;
  busy?: boolean;
  disabled?: boolean;
  onNext(): void;
  onSkip?: () => void;
  children: ReactNode;
}

/** A page with one question, its answer and buttons to continue. */
export function Step({ at, title, text, failure, next, busy, disabled, onNext, onSkip, children }: StepProps) {
  const heading = useHeadingFocus(title);
  useEffect(() => {
    const field = heading.current?.closest("form")?.querySelector<HTMLElement>("input[maxlength], textarea");
    (field ?? heading.current)?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the steps are one route: each starts in its first field, or at its heading
  }, [at]);
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3.5 sm:px-6">
        <Logo />
        <p className="ml-auto flex items-center gap-3 text-t2 text-muted">
          {texts.step({ at })}
          <span aria-hidden className="flex gap-1">
            {[1, 2, 3].map((step) => (
              <span key={step} className={`h-1 w-6 rounded-full ${step <= at ? "bg-primary" : "bg-line"}`} />
            ))}
          </span>
        </p>
      </header>
      <form
        className="mx-auto grid w-full max-w-xl grid-cols-[minmax(0,1fr)] gap-6 px-4 pt-4 pb-16 sm:px-6 sm:pt-[5vh]"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) onNext();
        }}
      >
        <div>
          <h1
            ref={heading}
            tabIndex={-1}
            className="text-[1.625rem] leading-8 font-[650] tracking-tight sm:text-[2rem] sm:leading-10"
          >
            {title}
          </h1>
          <p className="mt-3 text-t4 text-muted">{text}</p>
        </div>
        {failure && (
          <Alert tone="destructive" live>
            {failure}
          </Alert>
        )}
        {children}
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:items-center">
          {onSkip && (
            <Button variant="soft" size="lg" className="sm:-ml-5" onClick={onSkip}>
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
    </>
  );
}
