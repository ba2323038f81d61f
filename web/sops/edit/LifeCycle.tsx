import { clsx } from "clsx";
import { statusOf, StatusShape, type Status, statusNames } from "../../ui/StatusBadge.tsx";
import { texts } from "./edit-texts.ts";

const way: readonly Status[] = ["draft", "under_review", "published"];

/** Shows the SOP's step on the way from draft to published. An archived SOP is at none of the steps. */
export function LifeCycle({ status }: { status: string }) {
  const current = statusOf(status);
  const steps: readonly Status[] = current === "archived" ? [...way, "archived"] : way;
  const at = steps.indexOf(current);
  return (
    <ol aria-label={texts.lifeCycle} className="flex items-start">
      {steps.map((step, index) => {
        const label = statusNames[step];
        const isCurrent = step === current;
        return (
          <li
            key={step}
            aria-current={isCurrent ? "step" : undefined}
            className="relative grid min-w-0 flex-1 justify-items-center gap-1 text-center text-xs"
          >
            {index > 0 && (
              // A line between two circles, independent of the width of their labels.
              <span
                aria-hidden
                className={clsx(
                  "absolute top-[calc(0.875rem-1px)] right-[calc(50%+0.875rem)] left-[calc(-50%+0.875rem)] h-0.5",
                  index <= at && current !== "archived" ? "bg-primary" : "bg-line",
                )}
              />
            )}
            <span
              aria-hidden
              className={clsx(
                "grid size-7 place-items-center rounded-full border [&_svg]:size-4",
                isCurrent
                  ? "border-transparent bg-primary text-on-primary"
                  : index < at
                    ? "border-primary text-primary"
                    : "border-control text-muted",
              )}
            >
              <StatusShape status={step} />
            </span>
            <span className={isCurrent ? "font-semibold" : "text-muted"}>{label}</span>
          </li>
        );
      })}
    </ol>
  );
}
