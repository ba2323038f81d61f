import { dayStart, isDay } from "../days.ts";
import type { FrontMatter } from "../markdown/front-matter.ts";
import { languageOfDocument } from "../text/detect-language.ts";
import { factsInFrontMatter, type ExportDocument } from "./document.ts";

export interface WorkspaceFile {
  /** The file's name without folder and extension, used as the number of a document without a number. */
  name: string;
  frontMatter: FrontMatter;
  /** The Markdown, with image addresses of the form `/api/assets/<sha256>.<ext>`. */
  markdown: string;
  contentHash: string;
  category: string | null;
  company: string | null;
}

/** The date of a document without an effective date: the earliest date in a zip file. */
const undated = "1980-01-01T00:00:00.000Z";

/**
 * Makes an export document from a local file. Its status is draft, because only the server knows which version is
 * published. Its date is the effective date, so that the same file always gives the same bytes.
 */
export function exportDocumentOfFile({ name, frontMatter, markdown, ...rest }: WorkspaceFile): ExportDocument {
  const { effective, title = name } = frontMatter;
  const facts = factsInFrontMatter(frontMatter);
  return {
    number: frontMatter.sop ?? name,
    version: frontMatter.version ?? null,
    workingCopy: true,
    state: "draft",
    title,
    description: frontMatter.description ?? "",
    markdown,
    ...facts,
    lang: languageOfDocument({ lang: facts.lang, title, markdown }),
    writtenBy: null,
    changeClass: null,
    approvals: [],
    at: effective !== undefined && isDay(effective) ? dayStart(effective) : undated,
    ...rest,
  };
}
