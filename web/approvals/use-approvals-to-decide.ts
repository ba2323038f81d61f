import { useRead } from "../api.ts";

export const approvalsToDecideQuery = { status: "pending", mine: "true" } as const;

/**
 * The requests that wait for the user's decision; empty while they load. They are read only if any SOP is under review.
 */
export function useApprovalsToDecide() {
  return useLoadedApprovalsToDecide() ?? [];
}

/** The number of requests that wait for the user's decision; undefined until it is known. */
export function useApprovalsToDecideCount(): number | undefined {
  return useLoadedApprovalsToDecide()?.length;
}

function useLoadedApprovalsToDecide() {
  const { data: stats } = useRead("stats", "get", {});
  const isAny = (stats?.pendingApproval ?? 0) > 0;
  const { data } = useRead("approvals", "list", { query: approvalsToDecideQuery }, { enabled: isAny });
  return isAny ? data : stats && [];
}

/** Says whether the requests that wait for the user's decision have loaded or failed to load. */
export function useApprovalsToDecideSettled(): boolean {
  const stats = useRead("stats", "get", {});
  const isAny = (stats.data?.pendingApproval ?? 0) > 0;
  const approvals = useRead("approvals", "list", { query: approvalsToDecideQuery }, { enabled: isAny });
  return !stats.isPending && (!isAny || !approvals.isPending);
}
