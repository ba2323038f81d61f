/** The findings of `sop lint` in the text of the edit screen. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import { useClient } from "../../api.ts";
import type { CheckedMarkdown, CheckFinding } from "../../editor/findings.ts";
import { textCheckQuery, textToCheck } from "./text-check.ts";
import type { SopEditing } from "./use-sop-editing.ts";

const restMs = 700;
const none: readonly CheckFinding[] = [];

export function useTextChecks({ form, state: { base } }: Pick<SopEditing, "form" | "state">) {
  // A language that the user is still typing isn't sent.
  const { lang, isAiGenerated = false } = base ?? {};
  const values = useWatch({
    control: form.control,
    compute: (all) => textToCheck({ ...all, lang: null, isAiGenerated: false }),
  });
  const body = useSettledValue({ ...values, lang: lang ?? "", isAiGenerated });
  const isEmpty = body.markdown.trim() === "";
  const { data, error, isPending } = useQuery({
    ...textCheckQuery(useClient(), body),
    enabled: !isEmpty,
    // The last answer stays until the next one arrives. Its positions refer to the text that it checked.
    placeholderData: keepPreviousData,
  });
  const checked: CheckedMarkdown | null = isEmpty ? null : (data ?? null);
  const [fixed, setFixed] = useState({ of: checked, findings: none });
  if (fixed.of !== checked) setFixed({ of: checked, findings: none });
  const { findings = none, more = 0 } = data ?? {};
  // If the text is exactly the checked one, no finding counts as fixed, because the user may have undone a fix.
  const left = values.markdown === data?.markdown ? findings : findings.filter((one) => !fixed.findings.includes(one));
  return {
    /** The findings with the checked text; null for an empty text, and before the first answer. */
    checked,
    findings,
    /** Findings that haven't been fixed since the check. */
    left,
    /** The number of findings that the server left out of `findings`. */
    more,
    error,
    isPending,
    isEmpty,
    markFixed: (finding: CheckFinding) =>
      setFixed(({ of, findings: others }) => ({ of, findings: [...others, finding] })),
  };
}

export type TextCheck = ReturnType<typeof useTextChecks>;

/** Returns the last value that stayed unchanged for a while. */
function useSettledValue<T>(value: T): T {
  const key = JSON.stringify(value);
  const [rested, setRested] = useState({ key, value });
  useEffect(() => {
    if (key === rested.key) return undefined;
    const timer = setTimeout(() => setRested({ key, value }), restMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- values with the same key are equal
  }, [key, rested.key]);
  return rested.value;
}
