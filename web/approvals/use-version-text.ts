import { useRead } from "../api.ts";
import type { Approval } from "./approval-words.ts";

/** The text that a request is about, as it is read beside it: against what readers have, or had last; else whole. */
export function useVersionText({ sopId, version, publishedVersion, status }: Approval) {
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
    /** What it is compared with; undefined until that is known, null where there is nothing. */
    base: base ?? (isFirst ? null : undefined),
    hasFailed: !read.isFetching && (read.isError || isOther),
    retry: () => void read.refetch(),
  };
}
