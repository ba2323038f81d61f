import "../../editor/alerts.css";
import { clsx } from "clsx";
import { Check, ChevronLeft, ChevronRight, ListTree, WifiOff, X } from "lucide-react";
import * as Radix from "radix-ui/dialog";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation, useNavigate, useParams } from "react-router-dom";
import { ApiError } from "#core/api/client.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../../api.ts";
import { useMe } from "../../session.tsx";
import { Button } from "../../ui/Button.tsx";
import { EmptyState, ErrorState } from "../../ui/EmptyState.tsx";
import { PageSpinner } from "../../ui/Spinner.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { textAttributesOf, type TextAttributes } from "../direction.ts";
import { comparePath } from "../history/version-texts.ts";
import { stepTargetOf } from "../view/step-target.ts";
import { SopNotFound } from "../view/SopNotFound.tsx";
import { RenderedText } from "../view/RenderedText.tsx";
import { mostSevereWarningText, isNumberedThrough, warningsSummaryOf, type TextStep } from "../view/text-steps.ts";
import { LeftOutText } from "./LeftOutText.tsx";
import { footStyle, isPublished, thumbStyle, VersionLine, type StepsHeading } from "./StepsParts.tsx";
import { texts } from "./steps-texts.ts";
import { usePreloadedImages, useStepKeys, useOnline, useSwipe, useWakeLock } from "./use-hands.ts";
import { useStepsRun, type StepsRun } from "./use-run.ts";

const StepsEndScreen = lazyPart(() => import("./StepsEndScreen.tsx").then((module) => module.StepsEndScreen));
const ContentsSheet = lazyPart(() => import("../view/ContentsSheet.tsx").then((module) => module.ContentsSheet));

/** /sop/:id/steps shows one step per screen, for users whose hands are busy. */
export function StepsPage() {
  const { id = "" } = useParams();
  const sop = useRead("sops", "get", { params: { id } });
  if (sop.error instanceof ApiError && sop.error.status === 404) return <SopNotFound />;
  if (sop.data) return <StepsAtAddress key={sop.data.id} sop={sop.data} />;
  if (sop.isError) return <ErrorState title={texts.failed} onRetry={() => void sop.refetch()} />;
  return <PageSpinner />;
}

/** Opens the steps at the step that the address names. */
function StepsAtAddress({ sop }: { sop: Sop }) {
  const location = useLocation();
  const [target] = useState(() => stepTargetOf(location));
  const [found, setFound] = useState(target === null ? -1 : null);
  const { content } = sop;
  useEffect(() => {
    if (target === null || found !== null) return;
    void import("../view/step-index.ts").then(
      ({ stepIndexOf }) => setFound(stepIndexOf(content, target)),
      () => setFound(-1),
    );
  }, [content, target, found]);
  return found === null ? <PageSpinner /> : <StepsRunScreen sop={sop} found={found} />;
}

function StepsRunScreen({ sop, found }: { sop: Sop; found: number }) {
  const navigate = useNavigate();
  const location = useLocation();
  const run = useStepsRun(sop, found, useMe().id);
  const [contents, setContents] = useState(false);
  const { isFromSop } = (location.state ?? {}) as { isFromSop?: boolean };
  // Leaving adds no history entry, so that Back on the SOP leads to where the SOP was opened.
  const close = () => void (isFromSop ? navigate(-1) : navigate(`/sop/${sop.id}`, { replace: true }));
  useWakeLock();
  usePreloadedImages(sop.content);
  const moves = { back: () => run.goTo(run.at - 1), next: () => run.goTo(run.at + 1) };
  useStepKeys({ ...moves, act: run.tick }, run.newer === null && run.steps.length > 0);
  const swipe = useSwipe(moves);
  const heading = useStepHeadingFocus(run.at);
  useEffect(() => {
    document.title = texts.sopwright({ title: sop.title });
  }, [sop.title]);
  void ContentsSheet.preload();
  void StepsEndScreen.preload();
  return (
    <Radix.Root open onOpenChange={(open) => !open && close()}>
      <Radix.Portal>
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            heading.current?.focus();
          }}
          className="fixed inset-0 z-40 overflow-y-auto bg-bg"
          {...swipe}
        >
          <div className="mx-auto grid min-h-dvh max-w-184 grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto]">
            <div>
              <header className="flex items-center gap-2 px-2 py-2 sm:px-4">
                <Button size="icon" variant="ghost" aria-label={texts.close} onClick={close}>
                  <X aria-hidden />
                </Button>
                <div className="min-w-0">
                  <Radix.Title asChild>
                    <h1 dir="auto" className="truncate text-sm">
                      {sop.title}
                    </h1>
                  </Radix.Title>
                  {!isPublished(sop) && <VersionLine sop={sop} />}
                </div>
                {run.steps.length > 0 && (
                  <Button
                    size="icon"
                    variant="ghost"
                    aria-label={texts.contents}
                    onClick={() => setContents(true)}
                    className="ml-auto"
                  >
                    <ListTree aria-hidden />
                  </Button>
                )}
              </header>
              <StepsProgress run={run} />
              <OfflineNote />
            </div>
            {run.newer ? (
              <NewVersionScreen sopId={sop.id} run={run} newer={run.newer} heading={heading} />
            ) : run.steps.length === 0 ? (
              <EmptyState
                title={texts.none}
                hint={texts.noneHint}
                action={<Button onClick={close}>{texts.open}</Button>}
              />
            ) : run.at < 0 ? (
              <NeedsScreen run={run} heading={heading} text={textAttributesOf(sop)} />
            ) : run.at < run.steps.length ? (
              <StepScreen run={run} heading={heading} text={textAttributesOf(sop)} />
            ) : (
              <StepsEndScreen sop={sop} run={run} heading={heading} onEnd={close} />
            )}
          </div>
          {contents && (
            <ContentsSheet
              html={sop.content}
              steps={run.steps}
              current={run.at}
              isDone={run.isDone}
              onStep={(at) => {
                setContents(false);
                run.goTo(at);
              }}
              onClose={() => setContents(false)}
            />
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Moves the focus to the heading of each new step, so that screen readers read the heading. */
function useStepHeadingFocus(at: number) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.closest('[role="dialog"]')?.scrollTo?.({ top: 0 });
  }, [at]);
  return heading;
}

function StepsProgress({ run }: { run: StepsRun }) {
  if (run.steps.length === 0) return null;
  return (
    <div className="flex gap-1 px-4">
      <progress aria-label={texts.progress} value={run.doneCount} max={run.steps.length} className="sr-only" />
      {run.steps.map((_, at) => (
        <span
          // oxlint-disable-next-line react/no-array-index-key -- a step is its place
          key={at}
          aria-hidden
          className={clsx(
            "h-1 min-w-px flex-1 rounded-full",
            run.isDone(at) ? "bg-success" : at === run.at ? "bg-text" : "bg-line",
          )}
        />
      ))}
    </div>
  );
}

function OfflineNote() {
  const isOnline = useOnline();
  return (
    <output>
      {!isOnline && (
        <span className="mx-4 mt-3 flex items-center gap-2 text-sm text-muted">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {texts.offline}
        </span>
      )}
    </output>
  );
}

const partStyle = "grid grid-cols-[minmax(0,1fr)] content-start gap-5 empty:hidden";

interface StepsScreenProps {
  run: StepsRun;
  heading: StepsHeading;
  text: TextAttributes;
}

/** The screen before the first step. It says what to wear, have and know. */
function NeedsScreen({ run, heading, text }: StepsScreenProps) {
  return (
    <>
      <div dir={text.dir} className="run-body">
        <h2 ref={heading} tabIndex={-1} className="run-title outline-none">
          {texts.needs}
        </h2>
        <StepHtml html={run.needs} text={text} className="run-rest" />
        <LeftOutText run={run} text={text} />
      </div>
      <footer className={footStyle}>
        <Button className={clsx(thumbStyle, "col-span-2")} variant="primary" onClick={run.tick}>
          {texts.start}
        </Button>
      </footer>
    </>
  );
}

function StepScreen({ run, heading, text }: StepsScreenProps) {
  const step = run.steps[run.at];
  const next = run.steps[run.at + 1];
  if (!step) return null;
  return (
    <>
      <div dir={text.dir} className="run-body run-split">
        <h2 ref={heading} tabIndex={-1} className="text-sm font-semibold text-muted outline-none">
          {stepPlaceText(run, step)}
        </h2>
        <div className={partStyle}>
          {run.at === run.begin && <LeftOutText run={run} text={text} />}
          <EarlierWarnings html={step.earlier} text={text} />
          <StepHtml html={step.warnings} text={text} className="run-warnings" />
          <StepHtml html={step.before} text={text} className="run-rest" />
        </div>
        <div className={partStyle}>
          <StepHtml html={step.item} text={text} className="run-step" />
          <StepHtml html={step.after} text={text} className="run-rest" />
          {next && (
            <p className="mt-4 line-clamp-2 shrink-0 text-sm text-muted">{texts.nextStep({ brief: next.brief })}</p>
          )}
        </div>
      </div>
      <footer className={footStyle}>
        <Button className={thumbStyle} disabled={run.at === run.begin} onClick={() => run.goTo(run.at - 1)}>
          <ChevronLeft aria-hidden />
          {texts.back}
        </Button>
        {run.isDone(run.at) ? (
          <Button className={thumbStyle} variant="primary" onClick={() => run.goTo(run.at + 1)}>
            {texts.next}
          </Button>
        ) : (
          <Button className={thumbStyle} variant="primary" onClick={run.tick}>
            <Check aria-hidden />
            {next ? texts.done : texts.finish}
          </Button>
        )}
      </footer>
    </>
  );
}

/** Warnings from earlier steps that still apply. Long ones are collapsed, because the step matters most here. */
function EarlierWarnings({ html, text }: { html: string; text: TextAttributes }) {
  if (html === "") return null;
  const { count, isLong, gravest } = warningsSummaryOf(html);
  // Short warnings keep their full size, so that the step doesn't move.
  if (!isLong) return <StepHtml html={html} text={text} className="run-warnings" />;
  return (
    <details className="group text-sm">
      <summary className={`alert alert-${gravest} block!`}>
        <span className="alert-title">
          {count === 1
            ? texts.warnings[gravest]
            : texts.warningsMore({ gravest: texts.warnings[gravest], count: count - 1 })}
          <ChevronRight aria-hidden className="ml-auto size-4 shrink-0 transition-transform group-open:rotate-90" />
        </span>
        <span className="line-clamp-2 group-open:hidden">{mostSevereWarningText(html)}</span>
      </summary>
      <StepHtml html={html} text={text} className="run-warnings" />
    </details>
  );
}

/** Returns 'Step 4 of 10 · Clean the groups'. If each list starts at 1: '4 of 10 · Clean the groups, step 2'. */
function stepPlaceText(run: StepsRun, { section, number }: TextStep): string {
  const [at, of] = [run.at + 1, run.steps.length];
  if (isNumberedThrough(run.steps) || number === null) {
    return [texts.step({ at, of }), ...(section ? [section] : [])].join(" · ");
  }
  const place = texts.place({ at, of });
  return `${place} · ${section === null ? texts.stepNumber({ number }) : texts.sectionStep({ section, number })}`;
}

function StepHtml({ html, text, className }: { html: string; text: TextAttributes; className: string }) {
  if (html.trim() === "") return null;
  return <RenderedText html={html} {...text} className={clsx("reading", className)} />;
}

interface NewVersionProps {
  sopId: string;
  run: StepsRun;
  newer: { from: number; to: number };
  heading: StepsHeading;
}

/** Announces a new version before the user continues, because ticked steps may have changed. */
function NewVersionScreen({ sopId, run, newer: { from, to }, heading }: NewVersionProps) {
  return (
    <>
      <div className="run-body">
        <h2 ref={heading} tabIndex={-1} className="run-title outline-none">
          {texts.versionIsNew({ to })}
        </h2>
        <p>{texts.youTickedStepsOf({ from })}</p>
        <p>
          <Link to={comparePath(sopId, from, to)} className="text-primary underline underline-offset-4">
            {texts.seeWhatDiffers}
          </Link>
        </p>
      </div>
      <footer className={footStyle}>
        <Button className={thumbStyle} onClick={() => run.continueWithLatest(false)}>
          {texts.restart}
        </Button>
        <Button className={thumbStyle} variant="primary" onClick={() => run.continueWithLatest(true)}>
          {texts.goOnWithVersion({ to })}
        </Button>
      </footer>
    </>
  );
}
