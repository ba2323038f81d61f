import { useRead } from "../api.ts";
import type { ListedApproval } from "./approval-words.ts";

/** Reads the submitted text: as changes to the published or last published version, or as a whole if there is none. */
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
    /** The version to compare with; undefined until it is known, null if there is none. */
    base: base ?? (isFirst ? null : undefined),
    hasFailed: !read.isFetching && (read.isError || isOther),
    retry: () => void read.refetch(),
  };
}
