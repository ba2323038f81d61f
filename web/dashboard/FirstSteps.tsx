/**
 * The first four steps of a new company. The steps disappear when all are done or the user hides them in this browser.
 */
import { Circle, CircleCheck } from "lucide-react";
import { clsx } from "clsx";
import { Link } from "react-router-dom";
import { useRead, type Output } from "../api.ts";
import { Button } from "../ui/Button.tsx";
import { boundaryText } from "../ui/time.ts";
import { useStoredChoice } from "../ui/use-stored.ts";
import { HomeHeading } from "./HomeHeading.tsx";
import { Section } from "../ui/Section.tsx";
import { firstStepsTexts as texts } from "./texts.ts";

type FirstStepStates = NonNullable<Output<"stats", "needs">["firstSteps"]>;

interface FirstStepsProps {
  steps: FirstStepStates;
  onHide(): void;
  /** True if the steps come first on the page. */
  isFirst?: boolean;
}

/**
 * Reads which of the first steps are done.
 * @returns null if all are done or hidden in this browser, and while loading
 */
export function useFirstSteps(): Pick<FirstStepsProps, "steps" | "onHide"> | null {
  const [hidden, setHidden] = useStoredChoice("first-steps", ["shown", "hidden"], "shown");
  const steps = useRead("stats", "needs", {}).data?.firstSteps ?? null;
  if (steps === null || hidden === "hidden") return null;
  return { steps, onHide: () => setHidden("hidden") };
}

export function FirstSteps({ steps, onHide, isFirst = false }: FirstStepsProps) {
  const rows = firstStepRowsOf(steps);
  const title = steps.published ? texts.titlePublished : texts.title;
  const progress = texts.progress({ done: rows.filter(({ isDone }) => isDone).length });
  const list = <FirstStepList rows={rows} onHide={onHide} />;
  if (!isFirst) {
    return (
      <Section title={title} note={progress}>
        {list}
      </Section>
    );
  }
  return (
    <section aria-labelledby={headingId}>
      <HomeHeading id={headingId} text={title} note={progress} />
      <div className="border-t border-line">{list}</div>
    </section>
  );
}

const headingId = "first-steps";

function FirstStepList({ rows, onHide }: { rows: ReturnType<typeof firstStepRowsOf>; onHide(): void }) {
  const next = rows.findIndex(({ isDone }) => !isDone);
  return (
    <>
      <ol className="divide-y divide-line border-b border-line">
        {rows.map(({ title, done, text, to, action, second, isDone }, at) => (
          <li
            key={title}
            className={clsx(
              "flex min-h-13 flex-wrap items-center gap-3 py-2 text-sm",
              at === next && "-mx-2 rounded-md bg-sunken px-2",
            )}
          >
            {isDone ? (
              <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
            ) : (
              <Circle aria-hidden className="size-4 shrink-0 text-muted" />
            )}
            <p className="min-w-0 flex-1 basis-56 wrap-anywhere">
              {isDone ? (
                <span className="text-muted">
                  <span className="sr-only">{texts.done}: </span>
                  {done}
                </span>
              ) : (
                <>
                  <span className="font-medium">{title}</span>
                  <span className="block text-muted">{text}</span>
                </>
              )}
            </p>
            {!isDone && to !== null && (
              <Button asChild variant={at === next ? "primary" : "outline"} className="max-w-full">
                <Link to={to}>
                  <span className="truncate">{action}</span>
                </Link>
              </Button>
            )}
            {!isDone && second && (
              <Button asChild variant="outline">
                <Link to={second.to}>{second.action}</Link>
              </Button>
            )}
          </li>
        ))}
      </ol>
      <Button variant="ghost" size="sm" className="mt-2 -ml-2 text-muted!" onClick={onHide}>
        {texts.hide}
      </Button>
    </>
  );
}

interface FirstStep {
  title: string;
  text: string;
  /** The text that replaces title and text once the step is done. */
  done: string;
  /** The address that the step opens; null if there is none yet. */
  to: string | null;
  action: string;
  /** A second way to do the step. */
  second?: { to: string; action: string };
  isDone: boolean;
}

/**
 * The text of the step to publish the first SOP, depending on whether it waits for approval or has an effective date.
 */
function publishStepTexts({ waits, effectiveAt }: FirstStepStates): Pick<FirstStep, "title" | "text"> {
  if (waits) return { title: texts.waits, text: texts.waitsText };
  if (effectiveAt === null) return { title: texts.publish, text: texts.publishText };
  return { title: texts.scheduled, text: texts.scheduledText({ day: boundaryText(effectiveAt) }) };
}

function firstStepRowsOf(steps: FirstStepStates): FirstStep[] {
  const { sops, invited, joined, published, waits, effectiveAt, asked, next } = steps;
  return [
    {
      title: texts.drafts,
      text: texts.draftsText,
      done: texts.hasDrafts({ count: sops }),
      to: "/sop/new",
      action: texts.write,
      second: { to: "/start?step=templates", action: texts.choose },
      isDone: sops > 0,
    },
    {
      title: texts.invite,
      text: texts.inviteText,
      done: texts.invited({ count: invited, joined }),
      to: "/start?step=people",
      action: texts.inviteAction,
      isDone: invited > 0,
    },
    {
      ...publishStepTexts(steps),
      done: texts.published,
      to: next && (waits || effectiveAt !== null ? `/sop/${next.id}` : `/sop/${next.id}/edit`),
      action: texts.openDraft({ title: next?.title ?? "" }),
      isDone: published,
    },
    {
      title: texts.ask,
      text: texts.askText,
      done: texts.asked,
      to: published && next ? `/sop/${next.id}` : null,
      action: texts.askAction,
      isDone: asked,
    },
  ];
}
