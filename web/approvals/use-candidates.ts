import { useEffect } from "react";
import { useRead } from "../api.ts";

/** Who may be named, read anew whenever it is asked for and for each version: whoever wrote one can't decide about it. */
export function useCandidates(id: string, version: number) {
  const people = useRead("approvals", "candidates", { params: { id } });
  const { refetch } = people;
  useEffect(() => void refetch({ cancelRefetch: false }), [refetch, version]);
  return people;
}
