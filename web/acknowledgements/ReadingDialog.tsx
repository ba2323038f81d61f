import { useState } from "react";
import { Link } from "react-router-dom";
import { printedName } from "#core/users/printed-name.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ReadingRequestLoader } from "./ReadingRequestLoader.tsx";
import { overviewTexts as texts } from "./texts.ts";
import {
  useReminderSender,
  type OverviewPerson,
  type OverviewSop,
  type PersonReading,
} from "./use-confirmations-overview.ts";
import { boundaryText, dateText } from "../ui/time.ts";

interface ReadingDialogProps {
  person: OverviewPerson;
  sop: OverviewSop;
  onClose(): void;
}

/** One person's confirmations of one SOP, with actions such as a reminder. */
export function ReadingDialog({ person, sop, onClose }: ReadingDialogProps) {
  const [isAsking, setAsking] = useState(false);
  const { busy, remind } = useReminderSender();
  const { user, reminded } = person;
  const reading = person.readings.find(({ sopId }) => sopId === sop.id);
  if (isAsking) return <ReadingRequestLoader sop={sop} {...(!reading && { userId: user.id })} onClose={onClose} />;
  const isOpen = reading?.state === "overdue" || reading?.state === "open";
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={printedName(user)}
      description={`${sop.number} ${sop.title}`}
      size="sm"
      footer={
        <>
          <Button asChild variant="ghost" className="mr-auto">
            <Link to={`/sop/${sop.id}`}>{texts.openSop}</Link>
          </Button>
          <Button onClick={() => setAsking(true)}>{reading ? texts.change : texts.ask}</Button>
          {isOpen && !reminded && (
            <Button
              variant="primary"
              busy={busy}
              onClick={() => void remind({ userIds: [user.id], sopId: sop.id }).then(onClose)}
            >
              {texts.remind}
            </Button>
          )}
        </>
      }
    >
      <p>{confirmationStateText(reading)}</p>
      {reading?.state !== "confirmed" && reading?.confirmed && (
        <p className="text-muted">
          {texts.earlier({ version: reading.confirmed.version, day: dateText(reading.confirmed.at) })}
        </p>
      )}
      <p className="text-muted">{texts.published({ version: sop.version })}</p>
      {isOpen && reminded && <p className="text-muted">{texts.reminded}</p>}
    </Dialog>
  );
}

function confirmationStateText(reading: PersonReading | undefined): string {
  if (!reading || reading.state === "past") return texts.notAsked;
  const { state, dueBy, confirmed } = reading;
  if (state === "confirmed")
    return confirmed ? texts.confirmed({ version: confirmed.version, day: dateText(confirmed.at) }) : texts.allRead;
  if (dueBy === null) return texts.noDueDay;
  const day = boundaryText(dueBy);
  return state === "overdue" ? texts.overdueSince({ day }) : texts.dueBy({ day });
}
