import type { Divergence } from "#core/mirror/plan.ts";
import type { CommitStatus, MirrorProvider } from "#core/mirror/providers.ts";
import type { TakenCommits } from "#core/mirror/schema.ts";
import type { BaseDocument } from "../port.ts";
import type { StoredCollections } from "./parts.ts";

/** The mirror of a company's repository. `_id` is the company's. */
export interface MirrorDocument extends BaseDocument {
  companyId: string;
  url: string;
  username: string;
  /** The token for the remote, sealed. */
  token: string;
  provider: MirrorProvider;
  history: boolean;
  /** True if the mirror includes restricted SOPs; absent until an administrator decides. */
  restricted?: boolean;
  /** True if the heads of each daily check are pushed as a tag. */
  witness?: boolean;
  /** The time of the last check that was pushed as a tag. */
  witnessedAt?: string | null;
  updatedAt: string;
  updatedBy: string;
  /** Grows when the settings change and when a check is requested. Results of an older pass are not stored. */
  round: number;
  /** The branches that diverged on the remote. Nothing is pushed until an administrator requests a check. */
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
  /** The secret of calls from the remote, sealed; null if the remote can't call. */
  secret: string | null;
  /** True if the remote called because it has new commits. */
  isCalled: boolean;
  /** The branch whose changes become proposals; null if changes aren't taken. */
  incoming: IncomingDocument | null;
  /** True if an administrator wants the commits that stopped the mirror as proposals. */
  isTaking: boolean;
  /** The result for the commits that stopped the mirror. */
  stoppedTaken: TakenCommits | null;
}

export interface IncomingDocument {
  branch: string;
  /** The last commit of the branch whose changes are taken, or that this server pushed. */
  head: string | null;
  /** The commit of our main branch that the branch includes. */
  main: string | null;
  polledAt: string | null;
  /** The last commits that were taken. */
  taken: TakenCommits | null;
  /** Why the branch or the status of a commit can't be updated. */
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
