import { useRead } from "../api.ts";

/** The requests that wait for my decision: asked for only when something is under review at all. */
export function useWaitingForMe() {
  const stats = useRead("stats", "get", {});
  const isAny = (stats.data?.pendingApproval ?? 0) > 0;
  const query = { status: "pending", mine: "true" } as const;
  const { data } = useRead("approvals", "list", { query }, { enabled: isAny });
  return isAny ? (data ?? []) : [];
}
