/** Lists all followers. A new follower needs its own file and a line here. */
import { notifyReadersAtPublication } from "../acknowledgements/notices.ts";
import { settleCanceledRequest } from "../approvals/cancel.ts";
import { notifyOfApprovals } from "../approvals/notices.ts";
import { watchApprovers } from "../approvals/unavailable.ts";
import { announceScheduled } from "../periodic-review/scheduled.ts";
import type { Follower } from "./follower.ts";

export const followers: readonly Follower[] = [
  settleCanceledRequest,
  notifyOfApprovals,
  watchApprovers,
  notifyReadersAtPublication,
  announceScheduled,
];
