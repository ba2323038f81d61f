/** Notices above the text that readers have to know first. */
import { dueWithinDays } from "#core/periodic-review/rules.ts";
import { useLocation, useNavigate } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { boundaryText } from "../../ui/time.ts";
import { TextNotes, type TextNotesState } from "../TextNotes.tsx";
import { textNoteTexts } from "../note-texts.ts";
import { bannerTexts as texts, daysUntilDay, daysUntilDueText } from "./control-texts.ts";

interface BannersProps {
  sop: Sop;
  /** Absent for users who can't give an outcome. */
  onReview?: (() => void) | undefined;
}

export function ViewBanners({ sop, onReview }: BannersProps) {
  return (
    <>
      <SaveNotesBanner />
      <ScheduledVersionBanner sop={sop} />
      <ArchivedSopBanner sop={sop} />
      <ReviewDueBanner sop={sop} onReview={onReview} />
    </>
  );
}

/** Notes about the save that opened this page. */
function SaveNotesBanner() {
  const { state, ...address } = useLocation();
  const navigate = useNavigate();
  const { saveNotes = [] } = (state ?? {}) as TextNotesState;
  return (
    <TextNotes
      title={textNoteTexts.saved}
      notes={saveNotes}
      onClose={() => void navigate(address, { replace: true })}
    />
  );
}

function ScheduledVersionBanner({ sop: { scheduled, published } }: { sop: Sop }) {
  if (!scheduled?.effectiveAt) return null;
  return (
    <Alert
      title={texts.versionTakesEffectOn({
        version: scheduled.version,
        effectiveAt: boundaryText(scheduled.effectiveAt),
      })}
    >
      {published ? texts.untilThenReadersSee({ version: published.version }) : texts.untilThenReadersDont}
    </Alert>
  );
}

function ArchivedSopBanner({ sop: { status, control } }: { sop: Sop }) {
  if (status !== "archived") return null;
  return (
    <Alert tone="warning" title={texts.archived}>
      {texts.archivedText}
      {control.lastInForce !== null && ` ${texts.lastPublished({ version: control.lastInForce })}`}
    </Alert>
  );
}

/** All readers see that a review is overdue. Only reviewers see that one is due soon. */
function ReviewDueBanner({ sop, onReview }: BannersProps) {
  if (!sop.published || !sop.reviewBy) return null;
  const days = daysUntilDay(sop.reviewBy);
  if (days >= 0 && (days > dueWithinDays || !onReview)) return null;
  const owner = sop.control.owner ? ` ${texts.itsOwner({ name: printedName(sop.control.owner) })}` : "";
  return (
    <Alert
      tone={days < 0 ? "warning" : "info"}
      title={days < 0 ? texts.overdue : texts.due}
      actions={
        onReview && (
          <span data-print="hide">
            <Button size="sm" onClick={onReview}>
              {texts.review}
            </Button>
          </span>
        )
      }
    >
      {texts.theReviewDateIs({ reviewBy: boundaryText(sop.reviewBy), due: daysUntilDueText(days) }) + owner}
    </Alert>
  );
}
