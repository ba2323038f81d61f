import { CircleCheck, FileStack, Sparkles } from "lucide-react";
import type { ReactNode } from "react";
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../../api.ts";
import { useHeadingFocus } from "../../shell/PageHeading.tsx";
import { Badge } from "../../ui/Badge.tsx";
import { CategoryDot } from "../../ui/CategoryDot.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { dateTimeText, dayText, timeAgo } from "../../ui/time.ts";
import { effectiveDay, publishedOn } from "../history/version-texts.ts";
import { publishedBadge } from "../texts.ts";
import { texts } from "./view-texts.ts";

const ViewPresence = lazyPart(() => import("../../presence/PresenceLine.tsx").then((module) => module.ViewPresence));

export function ViewHeader({ sop }: { sop: Sop }) {
  const heading = useHeadingFocus(sop.title);
  return (
    <header className="grid gap-3">
      <div className="flex flex-wrap items-center gap-1.5">
        <span className="mr-1 font-mono text-xs text-muted">{sop.number}</span>
        <StatusBadge status={sop.status} />
        {isDraftInWork(sop) && sop.published && (
          <Badge tone="success">
            <CircleCheck aria-hidden />
            {publishedBadge(sop.published)}
          </Badge>
        )}
        {sop.isTemplate && (
          <Badge tone="outline">
            <FileStack aria-hidden />
            {texts.template}
          </Badge>
        )}
        {sop.isAiGenerated && (
          <Badge tone="accent">
            <Sparkles aria-hidden />
            {texts.aiGenerated}
          </Badge>
        )}
        <ViewPresence sop={sop} />
      </div>
      <h1
        ref={heading}
        tabIndex={-1}
        className="max-w-[26ch] text-[2rem] leading-tight font-semibold tracking-tight sm:max-w-[34ch]"
      >
        {sop.title}
      </h1>
      <p className="max-w-[68ch] text-base text-muted">{sop.description}</p>
      <Facts sop={sop} />
      {isDraftInWork(sop) && sop.published && (
        <p className="text-muted">
          {`You see version ${sop.version}, a draft. Readers see version ${sop.published.version}`}
          <OtherCategory sop={sop} />.
        </p>
      )}
    </header>
  );
}

/** The latest went on while readers keep what was published; what waits for its day is no draft. */
export function isDraftInWork(sop: Sop): boolean {
  const latest = sop.version;
  return sop.published !== null && sop.published.version < latest && sop.scheduled?.version !== latest;
}

/** Readers keep the published version where its rule is met, while the draft is in another category. */
function OtherCategory({ sop }: { sop: Sop }) {
  const categories = useRead("categories", "list", {});
  if (sop.publishedCategoryId === sop.categoryId) return null;
  const found = categories.data?.find(({ id }) => id === sop.publishedCategoryId);
  return ` in ${found?.name ?? texts.uncategorized}`;
}

function Facts({ sop }: { sop: Sop }) {
  const categories = useRead("categories", "list", {});
  const color = categories.data?.find(({ id }) => id === sop.categoryId)?.color;
  return (
    <dl data-print="hide" className="grid grid-cols-3 gap-x-6 gap-y-3 border-y border-line py-3 sm:flex sm:flex-wrap">
      <Fact term={texts.category}>
        {sop.category && <CategoryDot color={color} />}
        {sop.category?.name ?? texts.uncategorized}
      </Fact>
      <Fact term={texts.author}>{sop.author?.name ?? texts.unknownAuthor}</Fact>
      <Fact term={texts.updated}>
        <time dateTime={sop.updatedAt} title={dateTimeText(sop.updatedAt)}>
          {timeAgo(sop.updatedAt)}
        </time>
      </Fact>
      <Fact term={texts.readTime}>{`${sop.readTime} min`}</Fact>
      <Fact term={texts.version}>{`v${sop.version}`}</Fact>
      {effectiveDay(sop) && <Fact term={texts.effective}>{effectiveDay(sop)}</Fact>}
      {publishedOn(sop) && <Fact term={texts.publishedOn}>{publishedOn(sop)}</Fact>}
      {sop.published && sop.reviewBy && <Fact term={texts.nextReview}>{dayText(sop.reviewBy)}</Fact>}
      <Fact term={texts.views}>{sop.views}</Fact>
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{term}</dt>
      <dd className="flex items-baseline gap-1.5 font-medium tabular-nums">{children}</dd>
    </div>
  );
}
