import { Clock, Eye, Sparkles } from "lucide-react";
import { memo } from "react";
import { Link } from "react-router-dom";
import { CardReviewActions } from "../../approvals/CardReviewActions.tsx";
import { CardFavoriteButton } from "../../favorites/FavoriteButton.tsx";
import { Avatar } from "../../ui/Avatar.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { texts } from "../texts.ts";
import { CategoryName, SopFlags, UpdatedAt, type SopProps } from "./SopFacts.tsx";
import { PersonName } from "./PersonName.tsx";

/** One SOP as a card that is a link as a whole. It is memoized, so that the list can render often. */
export const SopCard = memo(function SopCard({ sop, color, onToggleFavorite }: SopProps) {
  return (
    <article className="relative isolate flex h-full flex-col rounded-lg border border-line bg-surface p-4 focus-within:border-primary hover:border-control">
      <div className="mb-2.5 flex flex-wrap items-center gap-1.5">
        <StatusBadge sop={sop} />
        <SopFlags sop={sop} />
        <CardFavoriteButton sop={sop} onToggle={onToggleFavorite} className="relative -my-1.5 -mr-1.5 ml-auto" />
      </div>
      <h3 dir="auto" className="line-clamp-2 text-base leading-snug font-semibold">
        <Link
          to={`/sop/${sop.id}`}
          data-sop={sop.id}
          className="outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-primary"
        >
          {sop.title}
        </Link>
      </h3>
      <p dir="auto" className="mt-1.5 line-clamp-3 text-muted">
        {sop.description}
      </p>
      {sop.isAiGenerated && sop.status === "draft" && (
        <p className="mt-3 rounded-md border border-dashed border-accent/50 bg-accent-soft px-3 py-2 text-xs">
          <strong className="flex items-center gap-1.5 text-accent">
            <Sparkles aria-hidden className="size-3.5" />
            {texts.aiTitle}
          </strong>
          {texts.aiText}
        </p>
      )}
      {sop.status === "under_review" && (
        <div className="mt-3 rounded-md bg-warning-soft px-3 py-2 text-xs">
          <p>
            <strong className="text-warning">{texts.pendingTitle}</strong> {texts.pendingText}
          </p>
          <CardReviewActions sop={sop} />
        </div>
      )}
      <div className="mt-auto grid gap-3 pt-4 text-xs text-muted">
        <div className="grid gap-1">
          <CategoryName sop={sop} color={color} />
          <ReadingFacts sop={sop} />
        </div>
        <div className="flex items-center justify-between gap-3 border-t border-line pt-3">
          <span className="flex min-w-0 items-center gap-2">
            <Avatar size="sm" initials={sop.author?.initials ?? texts.unknownInitials} />
            <PersonName person={sop.author} />
          </span>
          <UpdatedAt iso={sop.updatedAt} />
        </div>
      </div>
    </article>
  );
});

function ReadingFacts({ sop }: Pick<SopProps, "sop">) {
  return (
    <span className="flex items-center gap-3 tabular-nums [&_svg]:size-3.5">
      <span className="flex items-center gap-1">
        <Clock aria-hidden />
        {texts.readTime({ minutes: sop.readTime })}
      </span>
      <span className="flex items-center gap-1">
        <Eye aria-hidden />
        {sop.views ?? 0} {sop.views === 1 ? "view" : "views"}
      </span>
    </span>
  );
}
