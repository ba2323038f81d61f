import { useRead } from "../api.ts";
import { Button } from "../ui/Button.tsx";
import type { Approval } from "./approval-words.ts";
import { texts } from "./texts.ts";

interface OtherVersionProps {
  approval: Approval;
  /** The version whose text stands on the page. */
  shown: number;
}

/** In place of the decision: nobody approves another text than the one before his eyes (seed §4). */
export function OtherVersion({ approval: { sopId, version }, shown }: OtherVersionProps) {
  const sop = useRead("sops", "get", { params: { id: sopId } });
  const requests = useRead("approvals", "list", { query: { sopId } });
  const reload = () => void Promise.all([sop.refetch(), requests.refetch()]);
  return (
    <output className="grid justify-items-start gap-2 text-muted">
      {sop.isFetching || requests.isFetching ? (
        texts.versionLoading(Math.max(shown, version))
      ) : (
        <>
          {texts.otherVersion(shown, version)}
          <Button size="sm" onClick={reload}>
            {texts.tryAgain}
          </Button>
        </>
      )}
    </output>
  );
}
