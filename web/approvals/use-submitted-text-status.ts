import { useRead } from "../api.ts";
import type { ListedApproval } from "./approval-words.ts";

/**
 * Loads the submitted text of a pending request: its changes to the published or last published version, or the whole
 * text if no version was published. Returns whether loading failed, not the text, which other components read from the
 * cache.
 */
export function useSubmittedTextStatus({ sopId, version, publishedVersion, status }: ListedApproval) {
  const params = { id: sopId };
  const isAsked = status === "pending";
  const isNew = isAsked && publishedVersion === null;
  const periods = useRead("sops", "publishedPeriods", { params }, { enabled: isNew, still: true });
  const base = publishedVersion ?? periods.data?.find((period) => period.version <= version)?.version ?? null;
  const isFirst = base === null && periods.data !== undefined;
  const query = { from: base ?? version, to: version };
  const diff = useRead("sops", "diff", { params, query }, { enabled: isAsked && base !== null, still: true });
  const fullText = useRead("sops", "get", { params }, { enabled: isNew && isFirst, still: true });
  const read = base !== null ? diff : isFirst ? fullText : periods;
  const isOther = isFirst && fullText.data !== undefined && fullText.data.version !== version;
  return {
    /** The published version to compare with; undefined until it is known, null if no version was published. */
    base: base ?? (isFirst ? null : undefined),
    hasFailed: !read.isFetching && (read.isError || isOther),
    retry: () => void read.refetch(),
  };
}
