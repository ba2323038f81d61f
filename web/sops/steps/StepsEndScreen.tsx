/** The last screen of the steps, with the steps that aren't ticked and the read confirmation. */
import { clsx } from "clsx";
import { Check } from "lucide-react";
import { useEffect } from "react";
import type { Sop } from "#core/sops/schema.ts";
import { ReadPublishedButton } from "../../acknowledgements/ReadPublishedButton.tsx";
import { useAcknowledgements, useConfirmReading } from "../../acknowledgements/use-acknowledgements.ts";
import { Button } from "../../ui/Button.tsx";
import { textAttributesOf } from "../direction.ts";
import { LeftOutText } from "./LeftOutText.tsx";
import { footStyle, thumbStyle, VersionLine, type StepsHeading } from "./StepsParts.tsx";
import { texts } from "./steps-texts.ts";
import type { StepsRun } from "./use-run.ts";

interface EndProps {
  sop: Sop;
  run: StepsRun;
  heading: StepsHeading;
  onEnd(): void;
}

export function StepsEndScreen({ sop, run, heading, onEnd }: EndProps) {
  const { data } = useAcknowledgements(sop);
  const confirm = useConfirmReading(sop.id, onEnd);
  const published = data?.mine.owes ? data.inForce : null;
  const isDraftShown = published?.version !== run.version;
  const total = run.steps.length;
  const isAll = run.doneCount === total;
  const isSeen = run.isAllSeen && run.isLeftOutSeen;
  // The code of this screen loads late, so the screen takes the focus when it appears.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [heading]);
  return (
    <>
      <div className="run-body">
        <h2 ref={heading} tabIndex={-1} className="run-title outline-none">
          {isAll ? texts.allDone({ total }) : texts.ofDone({ doneCount: run.doneCount, total })}
        </h2>
        <p>{texts.notRecorded}</p>
        {!isAll && (
          <section aria-label={texts.notDone}>
            <ol className="grid gap-1">
              {run.steps.map(
                (step, at) =>
                  !run.isDone(at) && (
                    // oxlint-disable-next-line react/no-array-index-key -- a step is its place
                    <li key={at}>
                      <Button variant="ghost" wide onClick={() => run.goTo(at)} className="min-h-11 justify-start">
                        <span className="w-6 shrink-0 text-muted tabular-nums">{at + 1}</span>
                        <span dir="auto" className="min-w-0 truncate">
                          {step.brief}
                        </span>
                      </Button>
                    </li>
                  ),
              )}
            </ol>
          </section>
        )}
        <VersionLine sop={sop} />
        {published && !isDraftShown && <LeftOutText run={run} text={textAttributesOf(sop)} />}
        {published && !isDraftShown && !isSeen && (
          <p className="text-sm">{run.isAllSeen ? texts.leftOutUnseen : texts.notSeen}</p>
        )}
      </div>
      <footer className={footStyle}>
        {published && isDraftShown && (
          <ReadPublishedButton
            {...{ published }}
            sopId={sop.id}
            className={clsx(thumbStyle, "col-span-2")}
            onConfirmed={onEnd}
          />
        )}
        {published && !isDraftShown && (
          <Button
            className={clsx(thumbStyle, "col-span-2")}
            busy={confirm.busy}
            disabled={!isSeen}
            onClick={() => void confirm.send({ version: published.version, contentHash: published.contentHash })}
          >
            <Check aria-hidden />
            {texts.confirm}
          </Button>
        )}
        {!isAll && (
          <Button className={thumbStyle} onClick={run.restart}>
            {texts.restart}
          </Button>
        )}
        <Button className={clsx(thumbStyle, isAll && "col-span-2")} variant="primary" onClick={onEnd}>
          {texts.end}
        </Button>
      </footer>
    </>
  );
}
