import { clsx } from "clsx";
import { useId } from "react";
import { Link } from "react-router-dom";
import { printedName } from "#core/users/printed-name.ts";
import { ageText, daysSince, lateAfterDays } from "../dashboard/ages.ts";
import { dateTimeText } from "../ui/time.ts";
import { approvalProgressText, type ListedApproval } from "./approval-words.ts";
import { pendingTexts as texts } from "./texts.ts";

interface PendingListProps {
  requests: readonly ListedApproval[];
  /** The id of the selected SOP; empty for none. */
  selected: string;
  /** The query of the address, kept when the user selects another request. */
  search: string;
}

export function PendingList({ requests, ...rest }: PendingListProps) {
  const mine = requests.filter(({ mayDecide }) => mayDecide);
  const others = requests.filter(({ mayDecide }) => !mayDecide);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {mine.length > 0 && <PendingRequestGroup title={texts.mine} requests={mine} {...rest} />}
      {others.length > 0 && <PendingRequestGroup title={texts.others} requests={others} {...rest} />}
    </div>
  );
}

function PendingRequestGroup({ title, requests, selected, search }: PendingListProps & { title: string }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="px-2 pb-1 text-t2 font-medium text-muted">
        {title}
      </h2>
      <ul className="grid gap-1">
        {requests.map((request) => (
          <li key={request.id}>
            <PendingRequestRow request={request} isSelected={request.sopId === selected} search={search} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function PendingRequestRow({
  request,
  isSelected,
  search,
}: {
  request: ListedApproval;
  isSelected: boolean;
  search: string;
}) {
  const { sop, sopId, requestedBy, createdAt, mayDecide } = request;
  const address = new URLSearchParams({ ...(search && { search }), sop: sopId });
  const isLate = mayDecide && daysSince(createdAt) >= lateAfterDays;
  return (
    <Link
      to={`/pending?${address}`}
      replace
      data-sop={sopId}
      aria-current={isSelected || undefined}
      className={clsx(
        "grid min-h-row grid-cols-[minmax(0,1fr)_auto] gap-x-2 rounded-md p-2 -outline-offset-2",
        isSelected ? "bg-sunken" : "hover:bg-sunken",
      )}
    >
      <span dir="auto" className={clsx("break-words", mayDecide && "font-medium")}>
        {sop.title}
      </span>
      <time
        dateTime={createdAt}
        title={dateTimeText(createdAt)}
        className={clsx("text-t2", isLate ? "text-destructive" : "text-muted")}
      >
        {ageText(createdAt)}
      </time>
      <span className="col-span-2 truncate text-t2 text-muted">{`${printedName(requestedBy)} · ${approvalProgressText(request)}`}</span>
    </Link>
  );
}
