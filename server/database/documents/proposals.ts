/** Texts that came by git and couldn't become drafts at once. */
import type { Writer } from "#core/approvals/writers.ts";
import type { SopLink } from "#core/markdown/sop-links.ts";
import type { ProposalKind, ProposalSource, ProposalState } from "#core/proposals/rules.ts";
import type { Tenant } from "./parts.ts";

export interface ProposalDocument extends Tenant {
  /** Counted in each company. */
  number: number;
  state: ProposalState;
  /** Absent: a text. A proposal to archive holds the text that its author saw. */
  kind?: ProposalKind;
  source: ProposalSource;
  /** The SOP that it changes; null: it becomes a new one. */
  sopId: string | null;
  /** The pushed file, and the SHA-256 of its bytes as pushed. */
  path: string;
  sha256: string;
  /** The version that it was made from; null: not known. */
  baseVersion: number | null;
  title: string;
  /** The file as it would be imported: canonical, with links to stored images and SOPs. */
  text: string;
  /** The stored images and PDFs that it links, and where; the links to other SOPs. As with a version. */
  assets: string[];
  assetPlaces: number[];
  sopLinks: SopLink[];
  /** The pushed commit. */
  commit: string | null;
  comment: string | null;
  authorId: string;
  authorName: string;
  /** Absent in old records. */
  authorUsername?: string;
  /** Users whom the pushed commits name. */
  writers?: Writer[];
  createdAt: string;
  reason: string | null;
  decidedBy: { id: string; name: string; username?: string } | null;
  decidedAt: string | null;
  /** The version that it became. */
  version: number | null;
  supersededBy: number | null;
}
