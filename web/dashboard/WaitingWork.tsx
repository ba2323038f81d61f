/** The heading of the home page and the list that it counts: all work that waits for the user, oldest first. */
import { BookOpenCheck, CalendarClock, Clock, MessageSquare, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import type { Needs } from "#core/stats/schemas.ts";
import { printedName } from "#core/users/printed-name.ts";
import { useRead, type Output } from "../api.ts";
import { useApprovalsToDecide, useApprovalsToDecideSettled } from "../approvals/use-approvals-to-decide.ts";
import { useMay } from "../session.tsx";
import { RetryAlert } from "../ui/Alert.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { ageText, daysSince, lateAfterDays, shortDueDay } from "./ages.ts";
import { FirstSteps, useFirstSteps } from "./FirstSteps.tsx";
import { HomeHeading } from "./HomeHeading.tsx";
import { HomeRow, HomeRows } from "./HomeRows.tsx";
import { needsTexts as texts } from "./texts.ts";

interface WaitingItem {
  key: string;
  /** The ISO date or time since which the item waits. */
  since: string;
  icon: ReactNode;
  title: string;
  to: string;
  meta: string;
  when: string;
  isLate: boolean;
  action: string;
}

const headingId = "waiting";
const shownAtOnce = 7;

export function WaitingWork() {
  const { data, isError, refetch } = useRead("stats", "needs", {});
  // The list appears at once when all parts have loaded, so that nothing moves while the user reads.
  const needs = useApprovalsToDecideSettled() ? data : undefined;
  const approvals = useApprovalsToDecide();
  const isReader = !useMay()("sop.create");
  const items = needs ? waitingItemsOf(needs, approvals) : [];
  const failed = isError && !data;
  const firstSteps = useFirstSteps();
  const title = needs ? waitingCountTitle(items.length, needs.toRead.length === items.length) : null;
  const waitingRow = ({ key, since: _since, ...item }: WaitingItem) => (
    <HomeRow key={key} {...item} isNext={isReader && key === items[0]?.key} hasNoPhoneButton={!isReader} />
  );
  // If nothing waits for the user, the first steps are shown instead.
  if (firstSteps && items.length === 0) return <FirstSteps {...firstSteps} isFirst />;
  const waiting = (
    <section aria-labelledby={headingId} aria-busy={!needs && !failed}>
      <HomeHeading id={headingId} text={failed ? texts.page : title} />
      {failed ? (
        <RetryAlert text={texts.failed} retry={texts.tryAgain} onRetry={() => void refetch()} />
      ) : !needs ? (
        <div aria-hidden className="divide-y divide-line border-y border-line">
          {[1, 2, 3, 4].map((line) => (
            <div key={line} className="flex h-11 items-center pointer-coarse:h-13">
              <Skeleton className="h-4 w-2/3" />
            </div>
          ))}
        </div>
      ) : (
        items.length > 0 && (
          <div className="border-t border-line">
            <HomeRows>{items.slice(0, shownAtOnce).map(waitingRow)}</HomeRows>
            {items.length > shownAtOnce && (
              <details>
                <summary className="min-h-6 py-2 text-sm text-muted">
                  {texts.more({ count: items.length - shownAtOnce })}
                </summary>
                <HomeRows>{items.slice(shownAtOnce).map(waitingRow)}</HomeRows>
              </details>
            )}
          </div>
        )
      )}
    </section>
  );
  return firstSteps ? (
    <>
      {waiting}
      <FirstSteps {...firstSteps} />
    </>
  ) : (
    waiting
  );
}

function waitingCountTitle(count: number, isAllReading: boolean): string {
  if (count === 0) return texts.nothing;
  return isAllReading ? texts.toRead({ count }) : texts.things({ count });
}

function waitingItemsOf(needs: Needs, approvals: Output<"approvals", "list">): WaitingItem[] {
  const items: WaitingItem[] = [
    ...approvals.map(({ sop, requestedBy, createdAt }) => ({
      key: `approval ${sop.id}`,
      since: createdAt,
      icon: <Clock />,
      title: sop.title,
      to: `/pending?sop=${sop.id}`,
      meta: texts.asksForApproval({ who: printedName(requestedBy) }),
      when: ageText(createdAt),
      isLate: daysSince(createdAt) >= lateAfterDays,
      action: texts.review,
    })),
    ...needs.returned.map(({ sop, by, comment, outcome, at }) => ({
      key: `returned ${sop.id}`,
      since: at,
      icon: <Undo2 />,
      title: sop.title,
      to: `/sop/${sop.id}`,
      meta: `${texts.outcomes[outcome]({ by })}${comment ? `: “${comment}”` : ""}`,
      when: ageText(at),
      isLate: false,
      action: texts.open,
    })),
    ...needs.replies.map(({ sop, commentId, by, comment, at }) => ({
      key: `reply ${commentId}`,
      since: at,
      icon: <MessageSquare />,
      title: sop.title,
      to: `/sop/${sop.id}#comment-${commentId}`,
      meta: `${by}: “${comment}”`,
      when: ageText(at),
      isLate: false,
      action: texts.reply,
    })),
    ...needs.toRead.map(({ sop, version, since, dueBy, overdue }) => ({
      key: `read ${sop.id}`,
      since,
      icon: <BookOpenCheck />,
      title: sop.title,
      to: `/sop/${sop.id}`,
      meta: texts.version({ version }),
      when: dueBy === null ? ageText(since) : dueDayText(dueBy, overdue),
      isLate: overdue,
      action: texts.read,
    })),
    ...needs.reviews.map(({ sop, reviewBy, overdue }) => ({
      key: `review ${sop.id}`,
      // A review waits from its due day on, so a review with a later due day comes later in the list.
      since: reviewBy,
      icon: <CalendarClock />,
      title: sop.title,
      to: `/sop/${sop.id}`,
      meta: texts.periodicReview,
      when: dueDayText(reviewBy, overdue),
      isLate: overdue,
      action: texts.confirm,
    })),
  ];
  return items.toSorted((a, b) => (a.since < b.since ? -1 : 1));
}

const dueDayText = (day: string, overdue: boolean) => (overdue ? texts.wasDue : texts.due)({ day: shortDueDay(day) });
