import type { Divergence } from "#core/mirror/plan.ts";
import type { Provider } from "#core/mirror/providers.ts";
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
}
