import { useEffect, useEffectEvent } from "react";
import { useSearchParams } from "react-router-dom";
import type { EnhanceKind } from "./enhance-texts.ts";

/** `?improve=1` and `?improve=rules`: whoever comes by such a link gets the proposal at once, and once. */
export function useAskedImprovement(start: (kind: EnhanceKind) => Promise<void>): void {
  const [params, setParams] = useSearchParams();
  const asked = params.get("improve");
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
    if (asked !== null) onAsked(asked === "rules" ? "rules" : "improve");
  }, [asked]);
}
