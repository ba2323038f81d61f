import { Check, CircleCheck } from "lucide-react";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { Link } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";
import type { Output } from "../api.ts";
import { comparePath } from "../sops/history/version-texts.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { boundaryText, dateText } from "../ui/time.ts";
import { ReadPublishedButton } from "./ReadPublishedButton.tsx";
import { stateTexts, texts } from "./texts.ts";
import { useConfirmReading } from "./use-acknowledgements.ts";

type SopAcknowledgements = Output<"acknowledgements", "get">;

interface ReadBarProps {
  sop: Sop;
  data: SopAcknowledgements | undefined;
  /** The element of the SOP's text; null until the text is shown. */
  article: HTMLElement | null;
  /** Further buttons, shown only on phones. */
  children?: ReactNode;
}

/**
 * The bar at the bottom of an SOP's page. It asks the user to confirm reading, if the user still has to. On phones it
 * also has buttons to move through the text.
 */
export function ReadBar({ sop, data, article, children }: ReadBarProps) {
  const answer = useRef<HTMLParagraphElement>(null);
  const [hasAnswered, setAnswered] = useState(false);
  const owes = data !== undefined && data.mine.owes && data.inForce !== null;
  useScrollPaddingBelow(owes || children !== undefined);
  // The button that had the focus disappears after the answer, so the focus moves to the answer.
  useEffect(() => {
    if (hasAnswered && !owes) answer.current?.focus();
  }, [hasAnswered, owes]);
  const confirmed = owes ? null : (data?.mine.confirmed ?? null);
  return (
    <>
      {confirmed && (
        <p
          ref={answer}
          tabIndex={-1}
          data-print="hide"
          className="mt-6 flex items-center gap-2 text-sm text-muted outline-none"
        >
          <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
          {texts.youConfirmed({ version: confirmed.version, at: dateText(confirmed.at) })}
        </p>
      )}
      {(owes || children !== undefined) && (
        <div
          {...(owes && { "data-bottom-bar": true })}
          data-print="hide"
          className={owes ? barStyle : `${barStyle} sm:hidden`}
        >
          {owes && data.inForce && (
            <ConfirmReadingQuestion
              {...{ sop, article }}
              published={data.inForce}
              mine={data.mine}
              onConfirmed={() => setAnswered(true)}
            />
          )}
          {children}
        </div>
      )}
    </>
  );
}

/** The style of the bar. Negative margins undo the page's padding, so that the bar is as wide as the page. */
const barStyle =
  "sticky bottom-0 z-10 -mx-4 mt-6 -mb-16 flex flex-wrap items-center gap-2 border-t border-line bg-bg px-4 py-3 sm:-mx-8 sm:px-8";

/**
 * The style of the bar's text. On a phone the text is above the buttons, so that they don't move when it disappears.
 */
const lineStyle =
  "flex flex-wrap items-center gap-x-3 text-sm max-sm:order-first max-sm:basis-full max-sm:justify-between";

interface ConfirmReadingQuestionProps extends Pick<ReadBarProps, "sop" | "article"> {
  published: NonNullable<SopAcknowledgements["inForce"]>;
  mine: SopAcknowledgements["mine"];
  onConfirmed(): void;
}

function ConfirmReadingQuestion({ sop, article, published, mine, onConfirmed }: ConfirmReadingQuestionProps) {
  const { version, contentHash } = published;
  const confirm = useConfirmReading(sop.id, onConfirmed);
  const isDraftShown = sop.version !== version;
  const folds = useUnopenedSections(article);
  const reason = useId();
  const isWaiting = article === null && sop.content.trim() !== "";
  return (
    <section aria-label={texts.own} className="flex flex-1 flex-wrap items-center gap-x-4 gap-y-2 max-sm:contents">
      <div className="flex min-w-0 flex-1 basis-56 flex-wrap items-center gap-x-2 text-sm max-sm:sr-only">
        <ReadingDueNote mine={mine} version={version} />
      </div>
      {isDraftShown && (
        <div className={lineStyle}>
          <span>{texts.youSee({ version: sop.version })}</span>
          <Link
            to={comparePath(sop.id, version, sop.version)}
            className="inline-flex items-center text-primary underline underline-offset-4 pointer-coarse:min-h-11"
          >
            {texts.compare}
          </Link>
        </div>
      )}
      {!isDraftShown && folds.count > 0 && (
        <div className={lineStyle}>
          <p id={reason}>{texts.unopened}</p>
          <Button onClick={folds.openAll}>{texts.showAll}</Button>
        </div>
      )}
      {isDraftShown ? (
        <ReadPublishedButton {...{ published, onConfirmed }} sopId={sop.id} className="max-sm:flex-1" />
      ) : (
        <Button
          variant="primary"
          disabled={isWaiting || folds.count > 0}
          aria-describedby={folds.count > 0 ? reason : undefined}
          busy={confirm.busy}
          onClick={() => void confirm.send({ version, contentHash })}
          className="max-sm:flex-1"
        >
          <Check aria-hidden />
          {texts.confirm}
        </Button>
      )}
    </section>
  );
}

function ReadingDueNote({
  mine: { dueBy, overdue, confirmed },
  version,
}: Pick<ConfirmReadingQuestionProps, "mine"> & { version: number }) {
  return (
    <>
      {overdue && <Badge tone="destructive">{stateTexts.overdue}</Badge>}
      <span className="font-medium">
        {dueBy === null
          ? texts.readVersion({ version })
          : overdue
            ? texts.itWasDueOn({ dueBy: boundaryText(dueBy) })
            : texts.readThisBy({ dueBy: boundaryText(dueBy) })}
      </span>
      {confirmed && (
        <span>{texts.confirmedAndChanged({ version: confirmed.version, at: dateText(confirmed.at) })}</span>
      )}
    </>
  );
}

/** Keeps focused elements clear of the bar when the browser scrolls to them (WCAG 2.4.11). */
function useScrollPaddingBelow(isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return undefined;
    const { style } = document.documentElement;
    style.scrollPaddingBottom = "8rem";
    return () => void style.removeProperty("scroll-padding-bottom");
  }, [isShown]);
}

/**
 * Counts the collapsed sections that the user never opened. Phones also collapse paragraphs beside the steps
 * (`sops/view/text-steps.ts`).
 * @param article the element of the SOP's text; null until the text is shown
 */
function useUnopenedSections(article: HTMLElement | null) {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const left = new Set(article?.querySelectorAll("details:not([open])"));
    const showCount = () => setCount(left.size);
    const markOpened = ({ target }: Event) => {
      left.delete(target as Element);
      showCount();
    };
    showCount();
    article?.addEventListener("toggle", markOpened, true);
    return () => article?.removeEventListener("toggle", markOpened, true);
  }, [article]);
  return {
    count,
    /** Opens all collapsed sections and scrolls to the first of them. */
    openAll(): void {
      const folds = [...(article?.querySelectorAll<HTMLDetailsElement>("details:not([open])") ?? [])];
      for (const fold of folds) fold.open = true;
      const [first] = folds;
      first?.querySelector<HTMLElement>("summary")?.focus({ preventScroll: true });
      first?.scrollIntoView({ block: "start" });
    },
  };
}
