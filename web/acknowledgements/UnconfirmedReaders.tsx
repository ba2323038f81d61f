import { printedName } from "#core/users/printed-name.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { Button } from "../ui/Button.tsx";
import { boundaryText } from "../ui/time.ts";
import { overviewTexts as texts } from "./texts.ts";
import { useReminderSender, type OverviewPerson, type OverviewSop } from "./use-confirmations-overview.ts";

interface UnconfirmedReadersProps {
  people: readonly OverviewPerson[];
  sops: readonly OverviewSop[];
}

/** The list on phones: people who still have to confirm, most overdue first. */
export function UnconfirmedReaders({ people, sops }: UnconfirmedReadersProps) {
  const open = people
    .filter(({ late, due }) => late + due > 0)
    .toSorted((a, b) => b.late - a.late || b.due - a.due || a.user.name.localeCompare(b.user.name));
  const titleOf = new Map(sops.map(({ id, title }) => [id, title]));
  return (
    <section aria-labelledby="still-to-read" className="sm:hidden">
      <div className="flex items-baseline gap-2 border-b border-line pb-2">
        <h2 id="still-to-read" className="font-semibold">
          {open.length === 0 ? texts.allRead : texts.stillToRead}
        </h2>
        {open.length > 0 && <span className="text-sm text-muted">{texts.peopleCount({ count: open.length })}</span>}
      </div>
      <ul>
        {open.map((person) => (
          <li key={person.user.id} className="flex items-center gap-3 border-b border-line py-2">
            <Avatar initials={person.user.initials} size="sm" />
            <div className="min-w-0 flex-1">
              <p>{printedName(person.user)}</p>
              <p className="text-sm text-muted">
                {person.readings
                  .filter(({ state }) => state === "overdue" || state === "open")
                  .toSorted((a, b) => Number(b.state === "overdue") - Number(a.state === "overdue"))
                  .map(({ sopId, state, dueBy }, index) => (
                    <span key={sopId}>
                      {`${index === 0 ? "" : ", "}${titleOf.get(sopId) ?? ""} `}
                      {state === "overdue" ? (
                        <span className="text-destructive">{texts.late.toLowerCase()}</span>
                      ) : (
                        dueBy !== null && boundaryText(dueBy, "month")
                      )}
                    </span>
                  ))}
              </p>
            </div>
            <RemindPersonButton person={person} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RemindPersonButton({ person: { user, reminded } }: { person: OverviewPerson }) {
  const { busy, remind } = useReminderSender();
  if (reminded) return <span className="text-sm text-muted">{texts.reminded}</span>;
  return (
    <Button
      size="sm"
      busy={busy}
      aria-label={texts.remindPerson({ name: printedName(user) })}
      onClick={() => void remind({ userIds: [user.id] })}
    >
      {texts.remind}
    </Button>
  );
}
