import type { Divergence } from "#core/mirror/plan.ts";
import type { CommitStatus, MirrorProvider } from "#core/mirror/providers.ts";
import type { TakenCommits } from "#core/mirror/schema.ts";
import type { BaseDocument } from "../port.ts";
import type { StoredCollections } from "./parts.ts";

/** A mirror of a company's repository on another git server. `_id` is the company's id. */
export interface MirrorDocument extends BaseDocument {
  companyId: string;
  url: string;
  username: string;
  /** The encrypted token for the remote. */
  token: string;
  provider: MirrorProvider;
  history: boolean;
  /** True if the mirror includes restricted SOPs; absent until an administrator decides. */
  restricted?: boolean;
  /** True if the result of each daily check is also pushed as a tag with the heads. */
  witness?: boolean;
  /** The time of the last check that was pushed as a tag. */
  witnessedAt?: string | null;
  updatedAt: string;
  updatedBy: string;
  /**
   * A number that grows when an administrator changes the settings or requests a check. A pass with an older number
   * stores no results.
   */
  round: number;
  /** The branches on the remote that diverged. The mirror pushes nothing until an administrator requests a check. */
  diverged: Divergence[];
  problem: string | null;
  /** The number of failed passes in a row. `retryAt` is the time of the next pass. */
  failures: number;
  retryAt: string | null;
  /** The last event of the ledger that the remote has; -1 before the first push. */
  pushedSeq: number;
  pushedMain: string | null;
  pushedAt: string | null;
  checkedAt: string | null;
  /** The encrypted secret that calls from the remote must prove; null if the remote can't call. */
  secret: string | null;
  /** True if the remote has called, because it has new commits. */
  isCalled: boolean;
  /** The branch whose changes become proposals; null if the mirror takes no changes. */
  incoming: IncomingDocument | null;
  /** True if an administrator wants to take the commits that stopped the mirror as proposals. */
  isTaking: boolean;
  /** The result for the commits that stopped the mirror. */
  stoppedTaken: TakenCommits | null;
}

export interface IncomingDocument {
  branch: string;
  /** The last commit of the branch whose changes were taken, or that this server pushed. */
  head: string | null;
  /** The last commit of the company's main branch that the branch includes. */
  main: string | null;
  polledAt: string | null;
  /** The last commits that were taken. */
  taken: TakenCommits | null;
  /** The reason why the branch or a commit's status can't be updated on the remote. */
  problem: string | null;
  /** The number of proposals from the mirror that were open at the last pass. */
  open: number;
  /** The latest commits, each with the status that the remote has of it. */
  statuses: { commit: string; refused: number; sent: CommitStatus | null }[];
}

export interface MirrorCollections {
  mirrors: MirrorDocument;
}

export const mirrorCollections: StoredCollections<MirrorCollections> = {
  mirrors: {
    tenant: true,
    indexes: [],
    sealed: {
      entity: "company",
      names: { token: "token of the mirror of company", secret: "webhook secret of the mirror of company" },
    },
  },
};
