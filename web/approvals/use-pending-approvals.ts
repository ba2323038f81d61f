import { useRead } from "../api.ts";

export const pendingQuery = { status: "pending", mine: "true" } as const;

/** The requests that wait for the user. They are read only if any SOP is under review. */
export function usePendingApprovals() {
  return useLoadedPendingApprovals() ?? [];
}

/** The number of requests that wait for the user; undefined until it is known. */
export function usePendingCount(): number | undefined {
  return useLoadedPendingApprovals()?.length;
}

function useLoadedPendingApprovals() {
  const { data: stats } = useRead("stats", "get", {});
  const isAny = (stats?.pendingApproval ?? 0) > 0;
  const { data } = useRead("approvals", "list", { query: pendingQuery }, { enabled: isAny });
  return isAny ? data : stats && [];
}

/** Says whether the requests have loaded or failed to load. */
export function usePendingApprovalsKnown(): boolean {
  const stats = useRead("stats", "get", {});
  const isAny = (stats.data?.pendingApproval ?? 0) > 0;
  const approvals = useRead("approvals", "list", { query: pendingQuery }, { enabled: isAny });
  return !stats.isPending && (!isAny || !approvals.isPending);
}
