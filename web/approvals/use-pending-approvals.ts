import { useRead } from "../api.ts";

export const pendingQuery = { status: "pending", mine: "true" } as const;

/** The requests that wait for my decision: asked for only when something is under review at all. */
export function usePendingApprovals() {
  return useKnown() ?? [];
}

/** How many; undefined until it is known. */
export function usePendingCount(): number | undefined {
  return useKnown()?.length;
}

function useKnown() {
  const { data: stats } = useRead("stats", "get", {});
  const isAny = (stats?.pendingApproval ?? 0) > 0;
  const { data } = useRead("approvals", "list", { query: pendingQuery }, { enabled: isAny });
  return isAny ? data : stats && [];
}

/** Whether they were answered, or can't be. */
export function usePendingApprovalsKnown(): boolean {
  const stats = useRead("stats", "get", {});
  const isAny = (stats.data?.pendingApproval ?? 0) > 0;
  const approvals = useRead("approvals", "list", { query: pendingQuery }, { enabled: isAny });
  return !stats.isPending && (!isAny || !approvals.isPending);
}
