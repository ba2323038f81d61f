import { useEffect } from "react";
import { useRead } from "../api.ts";

/** Possible approvers, loaded each time and for each version, because authors can't approve their own version. */
export function useCandidates(id: string, version: number) {
  const people = useRead("approvals", "candidates", { params: { id } }, { onFocus: true });
  const { refetch } = people;
  useEffect(() => void refetch({ cancelRefetch: false }), [refetch, version]);
  return people;
}
