import { clsx } from "clsx";
import { useId } from "react";
import { Link } from "react-router-dom";
import { Avatar } from "../ui/Avatar.tsx";
import { timeAgo, dateTimeText } from "../ui/time.ts";
import { countedApprovers, progressText, type Approval } from "./approval-words.ts";
import { pendingTexts as texts } from "./texts.ts";

interface PendingListProps {
  requests: readonly Approval[];
  selected: string;
  /** Stays in the address when another one is selected. */
  search: string;
}

/** The server sends what waits for me first. */
export function PendingList({ requests, ...rest }: PendingListProps) {
  const mine = requests.filter(({ mayDecide }) => mayDecide);
  const others = requests.filter(({ mayDecide }) => !mayDecide);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {mine.length > 0 && <Group title={texts.mine} requests={mine} {...rest} />}
      {others.length > 0 && (
        <Group title={mine.length > 0 ? texts.others : texts.othersAlone} requests={others} {...rest} />
      )}
    </div>
  );
}

function Group({ title, requests, selected, search }: PendingListProps & { title: string }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="mb-2 text-xs font-semibold text-muted">
        {`${title} (${requests.length})`}
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {requests.map((request) => (
          <li key={request.id}>
            <Row request={request} isSelected={request.sopId === selected} search={search} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ request, isSelected, search }: { request: Approval; isSelected: boolean; search: string }) {
  const { sop, sopId, requestedBy, createdAt, version } = request;
  const address = new URLSearchParams({ ...(search && { search }), sop: sopId });
  return (
    <Link
      to={`/pending?${address}`}
      replace
      data-sop={sopId}
      aria-current={isSelected || undefined}
      className={clsx(
        "grid gap-1 border-l-3 px-3.5 py-3 -outline-offset-2",
        isSelected ? "border-primary bg-primary-soft" : "border-transparent hover:bg-sunken",
      )}
    >
      <span className="flex items-baseline justify-between gap-2 text-xs">
        <span
          className={clsx("font-mono", isSelected ? "text-text" : "text-muted")}
        >{`${sop.number} · v${version}`}</span>
        <time
          dateTime={createdAt}
          title={dateTimeText(createdAt)}
          className={clsx("shrink-0", isSelected ? "text-text" : "text-muted")}
        >
          {timeAgo(createdAt)}
        </time>
      </span>
      <span className="font-medium">{sop.title}</span>
      <span
        className={clsx("flex items-center justify-between gap-2 text-xs", isSelected ? "text-text" : "text-muted")}
      >
        <span className="min-w-0 truncate">{`${requestedBy.name} · ${progressText(request)}`}</span>
        <Faces request={request} />
      </span>
    </Link>
  );
}

const facesShown = 4;

function Faces({ request }: { request: Approval }) {
  const people = countedApprovers(request);
  return (
    <span aria-hidden className="flex shrink-0 gap-1.5">
      {people.slice(0, facesShown).map(({ id, user, status }) => (
        <span key={id} className={clsx("rounded-full ring-2", status === "approved" ? "ring-success" : "ring-surface")}>
          <Avatar size="sm" initials={user.initials} />
        </span>
      ))}
      {people.length > facesShown && <span className="pl-2.5">{`+${people.length - facesShown}`}</span>}
    </span>
  );
}
