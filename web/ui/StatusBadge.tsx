/** Shows the status of an SOP by a shape, a word and a color, never by color alone. */
import { clsx } from "clsx";
import { catalog } from "#core/language/catalog.ts";
import { shownStatus, type ShownStatus } from "#core/sops/statuses.ts";

export type Status = ShownStatus;

export const statusNames = catalog("ui.status", {
  published: "Published",
  scheduled: "Not yet effective",
  draft: "Draft",
  under_review: "Under Review",
  archived: "Archived",
}) satisfies Record<Status, string>;

interface BadgeLook {
  color: string;
  ground: string;
  shape: string;
}

export const statuses: Record<Status, BadgeLook> = {
  published: { color: "text-success", ground: "bg-success-soft", shape: "bg-current" },
  scheduled: { color: "text-muted", ground: "bg-sunken", shape: "" },
  draft: { color: "text-muted", ground: "bg-sunken", shape: "border-dashed" },
  under_review: {
    color: "text-warning",
    ground: "bg-warning-soft",
    shape: "bg-[linear-gradient(90deg,currentcolor_50%,transparent_50%)]",
  },
  archived: {
    color: "text-muted",
    ground: "bg-sunken",
    shape: "rounded-[2px]! bg-[linear-gradient(currentcolor_3px,transparent_3px)]",
  },
};

/** Returns the status if it is known, otherwise `draft`. */
export function knownStatusOf(status: string): Status {
  return Object.hasOwn(statuses, status) ? (status as Status) : "draft";
}

export function StatusShape({ status }: { status: Status }) {
  return (
    <span
      aria-hidden
      className={clsx("size-2.5 shrink-0 rounded-full border-[1.5px] border-current", statuses[status].shape)}
    />
  );
}

interface StatusMarkProps {
  status: string;
  /** True if the mark has a background, as beside a title. */
  filled?: boolean;
}

export function StatusMark({ status, filled = false }: StatusMarkProps) {
  const known = knownStatusOf(status);
  const { color, ground } = statuses[known];
  return (
    <span
      className={clsx(
        "inline-flex items-center gap-1.5 text-t2 font-medium whitespace-nowrap",
        color,
        filled && ["rounded-full px-2 py-0.5", ground],
      )}
    >
      <StatusShape status={known} />
      {/* The text has its own element for screen readers that read element by element. */}
      <span>{statusNames[known]}</span>
    </span>
  );
}

/**
 * The status beside an SOP's title. Takes the SOP, because the stored status doesn't say that it takes effect later.
 */
export function StatusBadge({ sop }: { sop: Parameters<typeof shownStatus>[0] }) {
  return <StatusMark status={shownStatus(sop)} filled />;
}
