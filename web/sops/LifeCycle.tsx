import { clsx } from "clsx";
import { Fragment } from "react";
import { statuses, statusOf, type Status } from "../ui/StatusBadge.tsx";
import { texts } from "./edit-texts.ts";

const way: readonly Status[] = ["draft", "under_review", "published"];

/** Where an SOP stands on its way from draft to publication; what is archived has left it. */
export function LifeCycle({ status }: { status: string }) {
  const current = statusOf(status);
  const steps: readonly Status[] = current === "archived" ? [...way, "archived"] : way;
  const at = steps.indexOf(current);
  return (
    <ol aria-label={texts.lifeCycle} className="flex items-start">
      {steps.map((step, index) => {
        const { label, icon: Icon } = statuses[step];
        const isCurrent = step === current;
        return (
          <Fragment key={step}>
            {index > 0 && (
              <li
                aria-hidden
                className={clsx(
                  "mt-3.5 h-0.5 min-w-2 flex-1",
                  index <= at && current !== "archived" ? "bg-primary" : "bg-line",
                )}
              />
            )}
            <li
              aria-current={isCurrent ? "step" : undefined}
              className="grid justify-items-center gap-1 text-center text-xs"
            >
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
                <Icon />
              </span>
              <span className={isCurrent ? "font-semibold" : "text-muted"}>{label}</span>
            </li>
          </Fragment>
        );
      })}
    </ol>
  );
}
