/** Defines proposals: texts that were pushed to git and couldn't become drafts. */
import type { VersionWriter } from "#core/approvals/writers.ts";
import type { SopLink } from "#core/markdown/sop-links.ts";
import type { ProposalKind, ProposalSource, ProposalState } from "#core/proposals/rules.ts";
import type { Tenant, StoredCollections } from "./parts.ts";
import { companyId, maybeNumber, maybeText, maybeTime, personCheck, texts } from "../shape-parts.ts";
import {
  arrayCheck,
  numberCheck,
  objectCheck,
  optionalCheck,
  nullableCheck,
  stringCheck,
  timeCheck,
} from "../shape.ts";

export interface ProposalDocument extends Tenant {
  /** A number, unique in the company. */
  number: number;
  state: ProposalState;
  /** Absent for a proposed text. A proposal to archive contains the text that its author saw. */
  kind?: ProposalKind;
  source: ProposalSource;
  /** The SOP that the proposal changes; null if it creates an SOP. */
  sopId: string | null;
  /** The path of the pushed file. `sha256` is the hash of its bytes as pushed. */
  path: string;
  sha256: string;
  /** The version that the proposal is based on; null if unknown. */
  baseVersion: number | null;
  title: string;
  /** The file in the form of an import: canonical, with links to stored images and SOPs. */
  text: string;
  /**
   * The stored images and PDFs that the text links, with their positions, and the links to other SOPs, as in a version.
   */
  assets: string[];
  assetPlaces: number[];
  sopLinks: SopLink[];
  /** The id of the pushed commit. */
  commit: string | null;
  comment: string | null;
  authorId: string;
  authorName: string;
  /** Absent in records of earlier versions. */
  authorUsername?: string;
  /** Users that the pushed commits name as authors. */
  writers?: VersionWriter[];
  createdAt: string;
  reason: string | null;
  decidedBy: { id: string; name: string; username?: string } | null;
  decidedAt: string | null;
  /** The version that was created from an accepted proposal; null for other proposals. */
  version: number | null;
  supersededBy: number | null;
}

export interface ProposalCollections {
  proposals: ProposalDocument;
}

export const decidedProposalsKeptMs = 365 * 24 * 3_600_000;

export const proposalCollections: StoredCollections<ProposalCollections> = {
  proposals: {
    tenant: true,
    indexes: [
      { name: "number", keys: { companyId: 1, number: -1 }, unique: true },
      { name: "state", keys: { companyId: 1, state: 1, number: -1 } },
      { name: "sop", keys: { companyId: 1, sopId: 1, number: -1 } },
      { name: "author", keys: { companyId: 1, authorId: 1, number: -1 } },
      { name: "author_state", keys: { companyId: 1, authorId: 1, state: 1, number: -1 } },
      { name: "assets", keys: { companyId: 1, assets: 1 }, array: "assets" },
      { name: "age", keys: { decidedAt: 1 }, partial: { decidedAt: { $gt: "" } } },
    ],
    swept: { by: "decidedAt", afterMs: decidedProposalsKeptMs },
    shape: {
      companyId,
      number: numberCheck,
      state: stringCheck,
      kind: optionalCheck(stringCheck),
      source: stringCheck,
      sopId: maybeText,
      path: stringCheck,
      sha256: stringCheck,
      baseVersion: maybeNumber,
      title: stringCheck,
      text: stringCheck,
      assets: texts,
      assetPlaces: arrayCheck(numberCheck),
      sopLinks: arrayCheck(objectCheck),
      commit: maybeText,
      comment: maybeText,
      authorId: stringCheck,
      authorName: stringCheck,
      authorUsername: optionalCheck(stringCheck),
      writers: optionalCheck(arrayCheck(objectCheck)),
      createdAt: timeCheck,
      reason: maybeText,
      decidedBy: nullableCheck(personCheck),
      decidedAt: maybeTime,
      version: maybeNumber,
      supersededBy: maybeNumber,
    },
  },
};
