/** Parts that rows and cards share. */
import { clsx } from "clsx";
import { CircleCheck, FileStack, Sparkles } from "lucide-react";
import { use } from "react";
import type { SopRow } from "#core/sops/schema.ts";
import { shownStatus } from "#core/sops/statuses.ts";
import type { ToggleFavorite } from "../../favorites/FavoriteButton.tsx";
import { Badge } from "../../ui/Badge.tsx";
import { CategoryDot } from "../../ui/CategoryDot.tsx";
import { dateTimeText, timeAgo } from "../../ui/time.ts";
import { publishedBadge, texts } from "../texts.ts";
import { WithinCategory } from "./within-category.ts";

export interface SopProps {
  sop: SopRow;
  /** The color of the SOP's category; undefined if it isn't known. */
  color: string | undefined;
  onToggleFavorite: ToggleFavorite;
  /** True if the row is selected; undefined if nothing is selected and rows have no boxes. */
  isChosen?: boolean | undefined;
  /**
   * Selects or deselects the row; absent if rows can't be selected. @param toHere whether to select all rows between
   * the last one and this one
   */
  onChoose?: ((id: string, toHere: boolean) => void) | undefined;
}

/** Says whether the latest version isn't published yet, while readers see the published version. */
export function hasNextVersion(sop: SopRow): boolean {
  return sop.published !== null && shownStatus(sop) !== "published";
}

export function SopFlags({ sop, short = false }: { sop: SopRow; short?: boolean }) {
  return (
    <>
      {!short && hasNextVersion(sop) && sop.published !== null && (
        <SopFlag
          icon={<CircleCheck aria-hidden />}
          label={publishedBadge(sop.published)}
          short={short}
          tone="success"
        />
      )}
      {sop.isTemplate && (
        <SopFlag icon={<FileStack aria-hidden />} label={texts.template} short={short} tone="primary" />
      )}
      {sop.isAiGenerated && (
        <SopFlag icon={<Sparkles aria-hidden />} label={texts.aiGenerated} short={short} tone="accent" />
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

function SopFlag({ icon, label, short, tone }: FlagProps) {
  return (
    <Badge tone={tone} title={short ? label : undefined}>
      {icon}
      <span className={short ? "sr-only" : undefined}>{label}</span>
    </Badge>
  );
}

export function CategoryName({ sop, color, className }: Pick<SopProps, "sop" | "color"> & { className?: string }) {
  const within = use(WithinCategory);
  if (within && sop.categoryId === within.id) {
    // An empty cell keeps the column for rows of inner categories.
    return within.hasInner && className ? <span className={clsx("@max-[40rem]:hidden", className)} /> : null;
  }
  return (
    <span className={clsx("flex min-w-0 items-center gap-1.5 text-t2 text-muted", className)}>
      {sop.category && <CategoryDot color={color} />}
      <span className="truncate">{sop.category?.name ?? texts.uncategorized}</span>
    </span>
  );
}

export function UpdatedAt({ iso, short = false }: { iso: string | null; short?: boolean }) {
  if (!iso) return <span>{texts.never}</span>;
  return (
    <time dateTime={iso} title={dateTimeText(iso)} className="shrink-0">
      {short ? (
        <>
          <span className="sr-only">{texts.updated} </span>
          {timeAgo(iso)}
        </>
      ) : (
        texts.updatedWhen({ when: timeAgo(iso) })
      )}
    </time>
  );
}
