/** What the rules of `sop lint` find in the text of the edit screen. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import { useClient } from "../../api.ts";
import type { Checked, Finding } from "../../editor/findings.ts";
import { textCheck, textToCheck } from "./text-check.ts";
import type { SopEditing } from "./use-sop-editing.ts";

const restMs = 700;
const none: readonly Finding[] = [];

export function useTextChecks({ form, state: { base } }: Pick<SopEditing, "form" | "state">) {
  // a language that is being typed isn't one yet
  const { lang, isAiGenerated = false } = base ?? {};
  const values = useWatch({
    control: form.control,
    compute: (all) => textToCheck({ ...all, lang: null, isAiGenerated: false }),
  });
  const body = useRested({ ...values, lang: lang ?? "", isAiGenerated });
  const isEmpty = body.markdown.trim() === "";
  const { data, error, isPending } = useQuery({
    ...textCheck(useClient(), body),
    enabled: !isEmpty,
    // while the next answer is on its way the last one is shown: it counts in its own text
    placeholderData: keepPreviousData,
  });
  const checked: Checked | null = isEmpty ? null : (data ?? null);
  const [fixed, setFixed] = useState({ of: checked, findings: none });
  if (fixed.of !== checked) setFixed({ of: checked, findings: none });
  const { findings = none, more = 0 } = data ?? {};
  // as long as the text is the one that was checked, nothing is fixed in it: it may have been undone
  const left = values.markdown === data?.markdown ? findings : findings.filter((one) => !fixed.findings.includes(one));
  return {
    /** What was found, and in which text; null: nothing is known. */
    checked,
    findings,
    /** Not fixed since. */
    left,
    /** How many more there are. */
    more,
    error,
    isPending,
    isEmpty,
    markFixed: (finding: Finding) => setFixed(({ of, findings: others }) => ({ of, findings: [...others, finding] })),
  };
}

export type TextCheck = ReturnType<typeof useTextChecks>;

/** The value as it was when nothing changed for a while. */
function useRested<T>(value: T): T {
  const key = JSON.stringify(value);
  const [rested, setRested] = useState({ key, value });
  useEffect(() => {
    if (key === rested.key) return undefined;
    const timer = setTimeout(() => setRested({ key, value }), restMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key says all there is to know of the value
  }, [key, rested.key]);
  return rested.value;
}
