/** After storing a draft, a screen can open the SOP's page with a request to submit exactly that version. */
import { useEffect, useEffectEvent } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";

interface Submission {
  /** The number of the version to submit. */
  submit: number;
}

/** The navigation state that `useRequestedSubmission` reads. */
export function submissionStateOf({ version }: Sop): Submission {
  return { submit: version };
}

/**
 * Begins to submit an SOP when its page opens, if the previous screen asked for that.
 * @param begin called once with the SOP on screen, if that is still the version to submit; null while nothing can be
 * submitted
 */
export function useRequestedSubmission(shown: Sop, begin: ((sop: Sop) => void) | null): void {
  const { state, ...address } = useLocation();
  const navigate = useNavigate();
  const { submit: requested, ...others } = (state ?? {}) as Partial<Submission>;
  const onRequested = useEffectEvent((version: number) => {
    // The state is removed, so that neither Back nor a reload submits again.
    void navigate(address, { replace: true, state: others });
    if (version === shown.version) begin?.(shown);
  });
  const isReady = begin !== null;
  useEffect(() => {
    if (isReady && requested !== undefined) onRequested(requested);
  }, [isReady, requested]);
}
