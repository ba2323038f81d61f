import { clsx } from "clsx";
import { StatusShape, type Status, statusNames } from "../../ui/StatusBadge.tsx";
import { texts } from "./edit-texts.ts";

/** The statuses shown for a scheduled or archived SOP, in order. Other statuses use `usualStatusPath`. */
const statusPaths: Partial<Record<Status, readonly Status[]>> = {
  scheduled: ["draft", "under_review", "scheduled", "published"],
  archived: ["draft", "under_review", "published", "archived"],
};
const usualStatusPath: readonly Status[] = ["draft", "under_review", "published"];

/** Shows the current status of an SOP among the statuses from draft to published. */
export function LifeCycle({ status: current }: { status: Status }) {
  const steps = statusPaths[current] ?? usualStatusPath;
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
