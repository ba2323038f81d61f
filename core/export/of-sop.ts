import { dayOf } from "../days.ts";
import type { SopStatus } from "../sops/statuses.ts";
import type { FrontMatter } from "../markdown/front-matter.ts";
import type { Sop } from "../sops/schema.ts";
import type { ExportDocument, VersionState } from "./document.ts";

/** What `GET /api/sops/:id/export?format=json` answers. */
export type ExportedSop = Pick<
  Sop,
  "id" | "number" | "slug" | "title" | "description" | "category" | "isTemplate" | "markdown" | "content" | "version"
> &
  Pick<Sop, "lang" | "tags" | "reviewBy" | "effectiveAt" | "published" | "scheduled" | "contentHash" | "control"> & {
    state: VersionState;
    company: string | null;
    frontMatter: FrontMatter;
  };

/** The status of one version of an SOP. `latest` is the latest one. */
export function versionStateOf(
  version: number,
  sop: {
    latest: number;
    status: SopStatus;
    published: number | null;
    scheduled: number | null;
  },
): VersionState {
  if (version === sop.published) return "published";
  if (version === sop.scheduled) return "scheduled";
  return version === sop.latest ? sop.status : "superseded";
}

/** An SOP as the server answers it → what exports say of it. */
export function documentOfSop(sop: ExportedSop): ExportDocument {
  const { control, frontMatter, state, version } = sop;
  const effectiveAt = sop.published?.version === version ? sop.effectiveAt : null;
  const planned = sop.scheduled?.version === version ? sop.scheduled.effectiveAt : null;
  return {
    number: sop.number,
    version,
    workingCopy: false,
    state,
    title: sop.title,
    description: sop.description,
    markdown: sop.markdown,
    lang: frontMatter.lang ?? sop.lang,
    category: sop.category?.name ?? null,
    company: sop.company,
    owner: control.owner?.name ?? frontMatter.owner ?? null,
    writtenBy: control.changedBy,
    changeClass: control.changeClass,
    approvals: control.approvedBy,
    effective: frontMatter.effective ?? (planned === null || planned === undefined ? null : dayOf(planned)),
    published: effectiveAt === null ? null : dayOf(effectiveAt),
    reviewBy: sop.reviewBy ?? frontMatter.review_by ?? null,
    contentHash: sop.contentHash,
    tags: sop.tags,
    at: control.changedBy.at,
  };
}
