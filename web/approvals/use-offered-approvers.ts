import { useEffect } from "react";
import { useRead } from "../api.ts";

/**
 * Reads who can approve a version. The list is read again for each version, because authors can't approve their own
 * version.
 */
export function useOfferedApprovers(id: string, version: number) {
  const people = useRead("approvals", "candidates", { params: { id } }, { onFocus: true });
  const { refetch } = people;
  useEffect(() => void refetch({ cancelRefetch: false }), [refetch, version]);
  return people;
}
