import { CircleCheck, Clock, Eye, FileStack, Sparkles } from "lucide-react";
import { memo } from "react";
import { Link } from "react-router-dom";
import type { SopRow } from "#core/sops/schema.ts";
import { CardReview } from "../../approvals/CardReview.tsx";
import { CardFavoriteButton, type ToggleFavorite } from "../../favorites/FavoriteButton.tsx";
import { Avatar } from "../../ui/Avatar.tsx";
import { Badge } from "../../ui/Badge.tsx";
import { CategoryDot } from "../../ui/CategoryDot.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { dateTimeText, timeAgo } from "../../ui/time.ts";
import { publishedBadge, texts } from "../texts.ts";

interface SopProps {
  sop: SopRow;
  /** The colour of its category, when it is known. */
  color: string | undefined;
  onToggleFavorite: ToggleFavorite;
}

/** One SOP as a card; the whole card is the link. Drawn once, however often its list is. */
export const SopCard = memo(function SopCard({ sop, color, onToggleFavorite }: SopProps) {
  return (
    <article className="relative isolate flex h-full flex-col rounded-lg border border-line bg-surface p-4 shadow-card focus-within:border-primary hover:border-control hover:shadow-lift">
      <div className="mb-2.5 flex flex-wrap items-center gap-1.5">
        <StatusBadge status={sop.status} />
        <SopFlags sop={sop} />
        <CardFavoriteButton sop={sop} onToggle={onToggleFavorite} className="relative -my-1.5 -mr-1.5 ml-auto" />
      </div>
      <h3 className="line-clamp-2 text-base leading-snug font-semibold">
        <Link
          to={`/sop/${sop.id}`}
          data-sop={sop.id}
          className="outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-primary"
        >
          {sop.title}
        </Link>
      </h3>
      <p className="mt-1.5 line-clamp-3 text-muted">{sop.description}</p>
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
          <CardReview sop={sop} />
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
            <span className="truncate">{sop.author?.name ?? texts.unknownAuthor}</span>
          </span>
          <UpdatedAt iso={sop.updatedAt} />
        </div>
      </div>
    </article>
  );
});

/** One SOP as a row, for those who scan titles. */
export const SopLine = memo(function SopLine({ sop, color, onToggleFavorite }: SopProps) {
  return (
    <article className="relative isolate grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 bg-surface px-4 py-3 focus-within:bg-sunken hover:bg-sunken md:grid-cols-[minmax(0,1fr)_8.5rem_12rem_10rem_2rem] md:items-center">
      <div className="min-w-0 pr-9 md:pr-0">
        <h3 className="truncate font-medium">
          <Link to={`/sop/${sop.id}`} data-sop={sop.id} className="outline-offset-4 after:absolute after:inset-0">
            {sop.title}
          </Link>
        </h3>
        <p className="truncate text-muted">{sop.description}</p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted md:contents">
        <span className="flex flex-wrap gap-1.5">
          <StatusBadge status={sop.status} />
          <SopFlags sop={sop} short />
        </span>
        <CategoryName sop={sop} color={color} />
        <span className="basis-full text-xs text-muted md:text-right">
          <UpdatedAt iso={sop.updatedAt} />
        </span>
      </div>
      <CardFavoriteButton
        sop={sop}
        onToggle={onToggleFavorite}
        className="absolute top-2 right-2 md:relative md:top-auto md:right-auto"
      />
    </article>
  );
});

function SopFlags({ sop, short = false }: { sop: SopRow; short?: boolean }) {
  return (
    <>
      {sop.published !== null && (sop.status === "draft" || sop.status === "under_review") && (
        <Flag icon={<CircleCheck aria-hidden />} label={publishedBadge(sop.published)} short={short} tone="success" />
      )}
      {sop.isTemplate && <Flag icon={<FileStack aria-hidden />} label={texts.template} short={short} tone="primary" />}
      {sop.isAiGenerated && (
        <Flag icon={<Sparkles aria-hidden />} label={texts.aiGenerated} short={short} tone="accent" />
      )}
    </>
  );
}

interface FlagProps {
  icon: React.ReactNode;
  label: string;
  short: boolean;
  tone: "success" | "primary" | "accent";
}

function Flag({ icon, label, short, tone }: FlagProps) {
  return (
    <Badge tone={tone} title={short ? label : undefined}>
      {icon}
      <span className={short ? "sr-only" : undefined}>{label}</span>
    </Badge>
  );
}

function CategoryName({ sop, color }: Pick<SopProps, "sop" | "color">) {
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-xs text-muted">
      {sop.category && <CategoryDot color={color} />}
      <span className="truncate">{sop.category?.name ?? texts.uncategorized}</span>
    </span>
  );
}

function ReadingFacts({ sop }: { sop: SopRow }) {
  return (
    <span className="flex items-center gap-3 tabular-nums [&_svg]:size-3.5">
      <span className="flex items-center gap-1">
        <Clock aria-hidden />
        {sop.readTime} min read
      </span>
      <span className="flex items-center gap-1">
        <Eye aria-hidden />
        {sop.views ?? 0} {sop.views === 1 ? "view" : "views"}
      </span>
    </span>
  );
}

function UpdatedAt({ iso }: { iso: string | null }) {
  if (!iso) return <span>{texts.never}</span>;
  return (
    <time dateTime={iso} title={dateTimeText(iso)} className="shrink-0">
      Updated {timeAgo(iso)}
    </time>
  );
}

/** As tall as a card, so that nothing jumps when the SOPs arrive. */
export function SopCardSkeleton() {
  return (
    <div data-testid="sop-skeleton" className="flex h-60 flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <Skeleton className="h-5 w-24" />
      <Skeleton className="h-5 w-4/5" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="mt-auto h-4 w-1/2" />
      <Skeleton className="h-6 w-full" />
    </div>
  );
}
