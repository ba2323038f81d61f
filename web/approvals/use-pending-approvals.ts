import { useRead } from "../api.ts";

export const pendingQuery = { status: "pending", mine: "true" } as const;

/** The requests that wait for my decision: asked for only when something is under review at all. */
export function usePendingApprovals() {
  const stats = useRead("stats", "get", {});
  const isAny = (stats.data?.pendingApproval ?? 0) > 0;
  const { data } = useRead("approvals", "list", { query: pendingQuery }, { enabled: isAny });
  return isAny ? (data ?? []) : [];
}

/** Whether they were answered, or can't be. */
export function usePendingApprovalsKnown(): boolean {
  const stats = useRead("stats", "get", {});
  const isAny = (stats.data?.pendingApproval ?? 0) > 0;
  const approvals = useRead("approvals", "list", { query: pendingQuery }, { enabled: isAny });
  return !stats.isPending && (!isAny || !approvals.isPending);
}
