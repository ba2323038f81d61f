import type { Divergence } from "#core/mirror/plan.ts";
import type { CommitStatus, Provider } from "#core/mirror/providers.ts";
import type { TakenCommits } from "#core/mirror/schema.ts";
import type { BaseDocument } from "../port.ts";

/** The mirror of a company's repository. `_id` is the company's. */
export interface MirrorDocument extends BaseDocument {
  companyId: string;
  url: string;
  username: string;
  /** Sealed. */
  token: string;
  provider: Provider;
  history: boolean;
  /** Restricted SOPs may go along; absent: not asked yet. */
  restricted?: boolean;
  /** The heads of each daily check go along as a tag. */
  witness?: boolean;
  /** The last check that was made one. */
  witnessedAt?: string | null;
  updatedAt: string;
  updatedBy: string;
  /** Changes with the settings and with each wish to check again: what an older pass found is not stored. */
  round: number;
  /** The remote diverged: nothing is pushed until an administrator asks to check again. */
  diverged: Divergence[];
  problem: string | null;
  /** Failed passes in a row, and when the next one is due. */
  failures: number;
  retryAt: string | null;
  /** The last event of the ledger that the remote has; -1 before the first push. */
  pushedSeq: number;
  pushedMain: string | null;
  pushedAt: string | null;
  checkedAt: string | null;
  /** The secret of calls from the remote, sealed; null: there are none. */
  secret: string | null;
  /** The remote called: there is something new. */
  isCalled: boolean;
  /** The branch whose changes come in as proposals; null: none do. */
  incoming: IncomingDocument | null;
  /** An administrator wants the commits that stopped the mirror as proposals. */
  isTaking: boolean;
  /** What became of them. */
  stoppedTaken: TakenCommits | null;
}

export interface IncomingDocument {
  branch: string;
  /** The commit of the branch whose changes are taken, or that we pushed there. */
  head: string | null;
  /** The commit of our main that the branch has. */
  main: string | null;
  polledAt: string | null;
  /** The last commits that were taken. */
  taken: TakenCommits | null;
  /** Why the branch or the status of a commit can't be updated. */
  problem: string | null;
  /** Proposals from the mirror that were open at the last look. */
  open: number;
  /** The latest commits, and the status that the remote has of each. */
  statuses: { commit: string; refused: number; sent: CommitStatus | null }[];
}
