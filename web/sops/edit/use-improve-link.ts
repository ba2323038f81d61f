import { useEffect, useEffectEvent } from "react";
import { useSearchParams } from "react-router-dom";
import type { EnhanceKind } from "./enhance-texts.ts";

/**
 * Requests a proposal as soon as the screen opens if the address has `?improve=1` or `?improve=rules`, and only once.
 */
export function useImproveFromAddress(start: (kind: EnhanceKind) => Promise<void>): void {
  const [params, setParams] = useSearchParams();
  const requested = params.get("improve");
  const onAsked = useEffectEvent((kind: EnhanceKind) => {
    setParams(
      (now) => {
        now.delete("improve");
        return now;
      },
      { replace: true },
    );
    void start(kind);
  });
  useEffect(() => {
    if (requested !== null) onAsked(requested === "rules" ? "rules" : "improve");
  }, [requested]);
}
