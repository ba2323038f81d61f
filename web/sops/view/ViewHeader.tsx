import { clsx } from "clsx";
import { FileStack, Sparkles } from "lucide-react";
import type { Sop } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { useRead } from "../../api.ts";
import { useHeadingFocus } from "../../shell/PageHeading.tsx";
import { Badge } from "../../ui/Badge.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { textAttributesOf } from "../direction.ts";
import { effectiveDay, publishedOn } from "../history/version-texts.ts";
import { isShortDescription } from "./description.ts";
import { texts } from "./view-texts.ts";

const StepsLink = lazyPart(() => import("./ViewAids.tsx").then((module) => module.StepsLink));
const ViewPresence = lazyPart(() => import("../../presence/PresenceLine.tsx").then((module) => module.ViewPresence));

/** Shows title, description and one line of facts. All other facts are in document control. */
export function ViewHeader({ sop }: { sop: Sop }) {
  const heading = useHeadingFocus(sop.title);
  const attributes = textAttributesOf(sop);
  return (
    <header className="grid gap-2">
      <h1
        ref={heading}
        {...attributes}
        tabIndex={-1}
        className="text-t8 leading-8 font-[650] tracking-[-0.025em] sm:text-t7"
      >
        {sop.title}
      </h1>
      <p
        {...attributes}
        className={clsx(
          "text-t4 text-muted max-sm:text-t3 print:block",
          // On a phone, a long description is part of the text.
          !isShortDescription(sop.description) && sop.content.trim() !== "" && "max-sm:hidden",
        )}
      >
        {sop.description}
      </p>
      <p
        data-print="hide"
        className="flex min-h-6 flex-wrap items-center gap-2.5 gap-y-1 text-t2 text-muted tabular-nums sm:mt-1 sm:min-h-control"
      >
        <StatusBadge sop={sop} />
        <span>{versionWithDateText(sop)}</span>
        <span>{texts.min({ readTime: sop.readTime })}</span>
        <span className="max-sm:hidden">{ownerText(sop)}</span>
        <span className="max-sm:hidden">{texts.viewCount({ views: sop.views })}</span>
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
        <StepsLink sopId={sop.id} html={sop.content} />
      </p>
      {isDraftInWork(sop) && sop.published && (
        <p className="text-sm text-muted">
          {texts.youSeeDraft({ version: sop.version, published: sop.published.version })}
          <PublishedCategoryText sop={sop} />.
        </p>
      )}
    </header>
  );
}

function ownerText({ control, author }: Sop): string {
  const person = control.owner ?? author;
  return person ? printedName(person) : texts.unknownAuthor;
}

/** Returns 'Version 5, published Nov 22, 2026'. */
function versionWithDateText(sop: Sop): string {
  const [effective, published] = [effectiveDay(sop), publishedOn(sop)];
  const version = texts.versionNumber({ version: sop.version });
  if (effective !== null) return texts.versionEffective({ version, effective });
  return published !== null && sop.published?.version === sop.version
    ? texts.published({ version, published })
    : version;
}

/**
 * Says whether the latest version is a draft, while readers see the published version. A scheduled version is no draft.
 */
function isDraftInWork(sop: Sop): boolean {
  const latest = sop.version;
  return sop.published !== null && sop.published.version < latest && sop.scheduled?.version !== latest;
}

/** The category of the published version, if the draft has another one. */
function PublishedCategoryText({ sop }: { sop: Sop }) {
  const categories = useRead("categories", "list", {});
  if (sop.publishedCategoryId === sop.categoryId) return null;
  const found = categories.data?.find(({ id }) => id === sop.publishedCategoryId);
  return ` ${texts.inCategory({ name: found?.name ?? texts.uncategorized })}`;
}
