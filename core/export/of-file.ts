import { dayStart, isDay } from "../days.ts";
import type { FrontMatter } from "../markdown/front-matter.ts";
import { factsInFile, type ExportDocument } from "./document.ts";

export interface WorkspaceFile {
  /** Its name without folder and ending: what an unnumbered document is called. */
  name: string;
  frontMatter: FrontMatter;
  /** Pictures are `/api/assets/<sha256>.<ext>`. */
  markdown: string;
  contentHash: string;
  category: string | null;
  company: string | null;
}

/** The epoch of zip files: what an undated document is dated with. */
const undated = "1980-01-01T00:00:00.000Z";

/**
 * A file of a workspace → what exports say of it. Always a draft, because only the server knows what is published. It is dated
 * with its effective day, so that the same file always makes the same bytes.
 */
export function documentOfFile({ name, frontMatter, markdown, ...rest }: WorkspaceFile): ExportDocument {
  const { effective } = frontMatter;
  return {
    number: frontMatter.sop ?? name,
    version: frontMatter.version ?? null,
    workingCopy: true,
    state: "draft",
    title: frontMatter.title ?? name,
    description: frontMatter.description ?? "",
    markdown,
    ...factsInFile(frontMatter),
    writtenBy: null,
    changeClass: null,
    approvals: [],
    at: effective !== undefined && isDay(effective) ? dayStart(effective) : undated,
    ...rest,
  };
}
