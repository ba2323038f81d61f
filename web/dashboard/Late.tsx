/** For managers: other people's overdue work, and gaps in the company's SOPs. */
import { useNavigate } from "react-router-dom";
import { useRead } from "../api.ts";
import { useCommand } from "../shortcuts/use-command.ts";
import { ageText, shortDueDay } from "./ages.ts";
import { Section } from "../ui/Section.tsx";
import { HomeRow, HomeRows } from "./HomeRows.tsx";
import { lateTexts as texts } from "./texts.ts";

export function LateAndGaps() {
  const { data } = useRead("stats", "needs", {});
  const navigate = useNavigate();
  useCommand("remind", data?.late.readings ? () => void navigate("/confirmations") : null);
  if (!data) return null;
  const { late, gaps } = data;
  const hasLate = late.readings !== null || late.reviews.length > 0;
  const hasGaps = gaps.searches.length + gaps.ownerless.length > 0;
  if (!hasLate && !hasGaps) return null;
  return (
    <div className={hasLate && hasGaps ? "grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1.75fr)_minmax(0,1fr)]" : ""}>
      {hasLate && (
        <Section title={texts.late}>
          <HomeRows>
            {late.readings && (
              <HomeRow
                stacked
                title={texts.readings({ count: late.readings.count })}
                to="/confirmations"
                meta={texts.readers({ people: late.readings.people, most: late.readings.most.title })}
                action={texts.remind}
              />
            )}
            {late.reviews.map(({ sop, reviewBy, owner }) => (
              <HomeRow
                key={sop.id}
                stacked
                title={sop.title}
                to={`/sop/${sop.id}`}
                meta={
                  owner === null
                    ? texts.review({ day: shortDueDay(reviewBy) })
                    : texts.reviewOf({ day: shortDueDay(reviewBy), owner })
                }
                when={ageText(reviewBy)}
                isLate
              />
            ))}
          </HomeRows>
        </Section>
      )}
      {hasGaps && (
        <Section title={texts.gaps}>
          <HomeRows>
            {gaps.searches.map(({ words, people, askedBy }) => (
              <HomeRow
                key={words}
                stacked
                title={`“${words}”`}
                to={`/sop/new?${new URLSearchParams({ title: words })}`}
                meta={askedBy.length > 0 ? askedByText(askedBy) : texts.searched({ people })}
                action={texts.write}
              />
            ))}
            {gaps.ownerless.map(({ sop, was }) => (
              <HomeRow
                key={sop.id}
                stacked
                title={sop.title}
                to={`/sop/${sop.id}/edit`}
                meta={texts.ownerless({ was })}
                action={texts.assign}
              />
            ))}
          </HomeRows>
        </Section>
      )}
    </div>
  );
}

function askedByText([name = "", ...others]: readonly string[]): string {
  return others.length === 0 ? texts.askedBy({ name }) : texts.askedByMore({ name, others: others.length });
}
