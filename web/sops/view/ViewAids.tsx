/** Contents and the Steps button beside a text, or on a phone in a bar below it. They load after the text. */
import { clsx } from "clsx";
import { ListTree } from "lucide-react";
import { useMemo, useState } from "react";
import { readingSteps } from "#core/steps/reading-steps.ts";
import type { Sop } from "#core/sops/schema.ts";
import { ReadBar } from "../../acknowledgements/ReadBar.tsx";
import type { Output } from "../../api.ts";
import { useDraftNextStep } from "../../approvals/use-draft-next-step.ts";
import { Button } from "../../ui/Button.tsx";
import { useMediaQuery } from "../../ui/use-media-query.ts";
import { focusAndScrollTo } from "./anchors.ts";
import { ContentsSheet } from "./ContentsSheet.tsx";
import { StepsButton } from "./StepsButton.tsx";
import { stepsOfText } from "./text-steps.ts";
import { texts } from "./view-texts.ts";
import { hasContentsBeside, contentsOutlineOf, ViewOutline } from "./ViewOutline.tsx";

export function ViewAids({ sopId, html }: { sopId: string; html: string }) {
  const hasSteps = useMemo(() => stepsOfText(html).length > 0, [html]);
  return <ViewOutline sopId={sopId} html={html} hasSteps={hasSteps} />;
}

/** The Steps button beside the facts, if there is no room for the contents. Phones have it in their bar. */
export function StepsLink({ sopId, html }: { sopId: string; html: string }) {
  const hasContents = useMemo(() => hasContentsBeside(html), [html]);
  if (stepsOfText(html).length === 0) return null;
  return (
    <StepsButton
      sopId={sopId}
      size="sm"
      className={clsx("ml-auto max-sm:hidden", hasContents && "@min-[50rem]:hidden")}
    />
  );
}

interface PhoneBarProps {
  sop: Sop;
  data: Output<"acknowledgements", "get"> | undefined;
  /** The element of the text; null until it is shown. */
  article: HTMLElement | null;
}

export function PhoneBar({ sop, data, article }: PhoneBarProps) {
  const next = useDraftNextStep(sop);
  const isNarrow = useMediaQuery("(max-width: 639px)");
  const [shown, setShown] = useState(false);
  const steps = useMemo(() => (isNarrow ? stepsOfText(sop.content) : []), [isNarrow, sop.content]);
  const hasContents = useMemo(
    () => isNarrow && contentsOutlineOf(sop.content).length + steps.length > 1,
    [isNarrow, sop.content, steps],
  );
  const scrollToTarget = (target: Element | null | undefined) => {
    setShown(false);
    if (!(target instanceof HTMLElement)) return;
    // The sheet moves the focus as it closes, so this waits for that.
    setTimeout(() => focusAndScrollTo(target));
  };
  return (
    <>
      <ReadBar {...{ sop, data, article }}>
        {isNarrow && (hasContents || steps.length > 0) ? (
          <>
            {hasContents && (
              <Button size="icon" aria-label={texts.contents} onClick={() => setShown(true)} className="order-first">
                <ListTree aria-hidden />
              </Button>
            )}
            {steps.length > 0 && (
              <StepsButton
                sopId={sop.id}
                variant={data?.mine.owes || sop.waitsForMe || next ? "outline" : "primary"}
                className="flex-1"
              />
            )}
          </>
        ) : undefined}
      </ReadBar>
      {shown && (
        <ContentsSheet
          html={sop.content}
          steps={steps}
          onHeading={(id) => scrollToTarget(document.getElementById(id))}
          onStep={(at) => scrollToTarget(article && readingSteps<Element>(article.children).steps[at]?.item)}
          onClose={() => setShown(false)}
        />
      )}
    </>
  );
}
