/** Texts that were pushed to git and couldn't become drafts. */
import type { VersionWriter } from "#core/approvals/writers.ts";
import type { SopLink } from "#core/markdown/sop-links.ts";
import type { ProposalKind, ProposalSource, ProposalState } from "#core/proposals/rules.ts";
import type { Tenant } from "./parts.ts";

export interface ProposalDocument extends Tenant {
  /** A number that counts the company's proposals. */
  number: number;
  state: ProposalState;
  /** Absent for a proposed text. A proposal to archive has the text that its author saw. */
  kind?: ProposalKind;
  source: ProposalSource;
  /** The SOP that the proposal changes; null if it creates an SOP. */
  sopId: string | null;
  /** The path of the pushed file, and the SHA-256 of its bytes as pushed. */
  path: string;
  sha256: string;
  /** The version that the proposal is based on; null if unknown. */
  baseVersion: number | null;
  title: string;
  /** The file in the form of an import: canonical, with links to stored images and SOPs. */
  text: string;
  /**
   * The stored images and PDFs that the text links, with their places, and the links to other SOPs, as in a version.
   */
  assets: string[];
  assetPlaces: number[];
  sopLinks: SopLink[];
  /** The id of the pushed commit. */
  commit: string | null;
  comment: string | null;
  authorId: string;
  authorName: string;
  /** Absent in old records. */
  authorUsername?: string;
  /** Users that the pushed commits name. */
  writers?: VersionWriter[];
  createdAt: string;
  reason: string | null;
  decidedBy: { id: string; name: string; username?: string } | null;
  decidedAt: string | null;
  /** The version that an accepted proposal became. */
  version: number | null;
  supersededBy: number | null;
}
