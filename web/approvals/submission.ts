/** A screen that stored a draft sends its writer on to the SOP's page with the wish to submit that very version. */
import { useEffect, useEffectEvent } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";

interface Submission {
  submit: number;
}

/** The state of the address that `useSubmission` answers. */
export function submissionOf({ version }: Sop): Submission {
  return { submit: version };
}

/** @param begin called once, if what is shown is the version that was stored; null as long as nothing can be submitted */
export function useSubmission(shown: Sop, begin: ((sop: Sop) => void) | null): void {
  const { state, ...address } = useLocation();
  const navigate = useNavigate();
  const { submit: requested, ...others } = (state ?? {}) as Partial<Submission>;
  const onRequested = useEffectEvent((version: number) => {
    // neither Back nor a reload asks again
    void navigate(address, { replace: true, state: others });
    if (version === shown.version) begin?.(shown);
  });
  const isReady = begin !== null;
  useEffect(() => {
    if (isReady && requested !== undefined) onRequested(requested);
  }, [isReady, requested]);
}
