import { useRead } from "../api.ts";

export const waitingQuery = { status: "pending", mine: "true" } as const;

/** The requests that wait for my decision: asked for only when something is under review at all. */
export function useWaitingForMe() {
  const stats = useRead("stats", "get", {});
  const isAny = (stats.data?.pendingApproval ?? 0) > 0;
  const { data } = useRead("approvals", "list", { query: waitingQuery }, { enabled: isAny });
  return isAny ? (data ?? []) : [];
}
