/** The contents of an SOP on a phone: headings, with steps below them. */
import { clsx } from "clsx";
import { Check, Image, TriangleAlert } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { Sheet } from "../../ui/Sheet.tsx";
import { stepGroupsOf, isNumberedThrough, type TextStep } from "./text-steps.ts";
import { texts } from "./view-texts.ts";
import { contentsOutlineOf } from "./ViewOutline.tsx";

interface ContentsSheetProps {
  html: string;
  steps: readonly TextStep[];
  /** The index of the visible step; absent if no step is current. */
  current?: number;
  isDone?(at: number): boolean;
  onHeading?(id: string): void;
  onStep(at: number): void;
  onClose(): void;
}

const itemStyle = "flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-md px-2 text-left hover:bg-sunken";

export function ContentsSheet({ html, steps, current, isDone, onHeading, onStep, onClose }: ContentsSheetProps) {
  const groups = useMemo(() => stepGroupsOf(steps), [steps]);
  const rest = useMemo(() => contentsOutlineOf(html), [html]);
  const bySection = new Map(groups.map((group) => [group.section, group]));
  const isThrough = isNumberedThrough(steps);
  const shown = new Set<string | null>();
  // Steps without a heading above them come first.
  const loose = groups.filter(({ section }) => section === null || !rest.some(({ text }) => text === section));
  const stepList = (group: (typeof groups)[number] | undefined) =>
    group?.steps.map(({ step, at }) => (
      <li key={`step-${at}`}>
        <button
          type="button"
          aria-current={at === current ? "step" : undefined}
          onClick={() => onStep(at)}
          className={clsx(itemStyle, at === current && "bg-primary-soft text-primary")}
        >
          <span className="w-6 shrink-0 text-sm text-muted tabular-nums">
            {isDone?.(at) ? (
              <>
                <Check aria-hidden className="size-4 text-success" />
                <span className="sr-only">{texts.done}: </span>
              </>
            ) : isThrough ? (
              at + 1
            ) : (
              (step.number ?? "–")
            )}
          </span>
          <span dir="auto" className="min-w-0 flex-1 truncate">
            {step.brief}
          </span>
          {step.warnings !== "" && <ContentsMark icon={<TriangleAlert aria-hidden />} text={texts.hasWarning} />}
          {step.hasImage && <ContentsMark icon={<Image aria-hidden />} text={texts.hasImage} />}
        </button>
      </li>
    ));
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title={texts.contents} side="bottom">
      <p aria-hidden className="flex min-h-14 items-center px-6 font-semibold">
        {texts.contents}
      </p>
      <ol className="min-h-0 overflow-y-auto px-4 pb-6">
        {onHeading && loose.map(stepList)}
        {onHeading
          ? rest.map(({ id, text }) => {
              const group = shown.has(text) ? undefined : bySection.get(text);
              shown.add(text);
              return [
                <li key={id}>
                  <button type="button" onClick={() => onHeading(id)} className={clsx(itemStyle, "font-semibold")}>
                    <span dir="auto" className="min-w-0 truncate">
                      {text}
                    </span>
                  </button>
                </li>,
                stepList(group),
              ];
            })
          : groups.map((group) => [
              group.section !== null && (
                <li dir="auto" key={group.steps[0]?.at} className="flex min-h-11 items-center px-2 font-semibold">
                  {group.section}
                </li>
              ),
              stepList(group),
            ])}
      </ol>
    </Sheet>
  );
}

function ContentsMark({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <span className="shrink-0 [&_svg]:size-4">
      {icon}
      <span className="sr-only">{text}</span>
    </span>
  );
}
