import { useRead } from "../api.ts";
import type { Approval } from "./approval-words.ts";
import { NoDecision } from "./NoDecision.tsx";
import { texts } from "./texts.ts";

interface OtherVersionProps {
  approval: Approval;
  /** The version whose text stands on the page. */
  shown: number;
}

/** In place of the decision where page and request are about two versions. */
export function OtherVersion({ approval: { sopId, version }, shown }: OtherVersionProps) {
  const sop = useRead("sops", "get", { params: { id: sopId } });
  const requests = useRead("approvals", "list", { query: { sopId } });
  if (sop.isFetching || requests.isFetching)
    return <NoDecision reason={texts.versionLoading(Math.max(shown, version))} />;
  const reload = () => void Promise.all([sop.refetch(), requests.refetch()]);
  return <NoDecision reason={texts.otherVersion(shown, version)} onRetry={reload} />;
}
