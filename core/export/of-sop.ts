import { printedName } from "#core/users/printed-name.ts";
import { dayOf } from "../days.ts";
import type { SopStatus } from "../sops/statuses.ts";
import type { FrontMatter } from "../markdown/front-matter.ts";
import type { Sop } from "../sops/schema.ts";
import { languageOfDocument } from "../text/detect-language.ts";
import { factsInFrontMatter, versionMarks, type ExportDocument, type VersionState } from "./document.ts";

/** The answer of `GET /api/sops/:id/export?format=json`. */
export type ExportedSop = Pick<
  Sop,
  "id" | "number" | "slug" | "title" | "description" | "category" | "isTemplate" | "markdown" | "content" | "version"
> &
  Pick<Sop, "lang" | "tags" | "reviewBy" | "effectiveAt" | "published" | "scheduled" | "contentHash" | "control"> & {
    state: VersionState;
    /**
     * The state of the version. The SOP's own status isn't enough: it is `published` while a first version still waits
     * for its effective date.
     */
    status: VersionState;
    company: string | null;
    frontMatter: FrontMatter;
  };

/**
 * Returns the state of one version of an SOP. A version that is neither published, scheduled nor the latest is
 * superseded.
 */
export function versionStateOf(
  version: number,
  sop: {
    /** The latest version. */
    version: number;
    status: SopStatus;
    published: { version: number } | null;
    scheduled: { version: number } | null;
  },
): VersionState {
  if (version === sop.published?.version) return "published";
  if (version === sop.scheduled?.version) return "scheduled";
  return version === sop.version ? sop.status : "superseded";
}

/**
 * Returns the ending of an exported Markdown file: `.draft.md`, `.not-yet-effective.md`. Only the file's name can say
 * that the text isn't published, because its bytes must be those in git.
 */
export function markdownFileEnding(state: VersionState): string {
  const mark = versionMarks[state];
  return mark === null ? ".md" : `.${mark}.md`;
}

/** Makes an export document from an SOP in a server's answer. */
export function exportDocumentOfSop(sop: ExportedSop): ExportDocument {
  const { control, frontMatter, state, version } = sop;
  const inFile = factsInFrontMatter(frontMatter);
  const since = sop.published?.version === version ? sop.published.effectiveAt : null;
  return {
    number: sop.number,
    version,
    workingCopy: false,
    state,
    title: sop.title,
    description: sop.description,
    markdown: sop.markdown,
    ...inFile,
    lang: languageOfDocument({ lang: inFile.lang ?? sop.lang, title: sop.title, markdown: sop.markdown }),
    category: sop.category?.name ?? null,
    company: sop.company,
    owner: control.owner ? printedName(control.owner) : inFile.owner,
    writtenBy: control.changedBy,
    changeClass: control.changeClass,
    approvals: control.approvedBy,
    effective: control.effective,
    published: since === null ? null : dayOf(since),
    reviewBy: sop.reviewBy ?? inFile.reviewBy,
    contentHash: sop.contentHash,
    tags: sop.tags,
    at: control.changedBy.at,
  };
}
