/** An address may name a step: it is shown, stands out, and takes the focus. */
import { useEffect } from "react";
import { useLocation } from "react-router-dom";

/** @param box around the text @param html of it */
export function useStepTarget(box: HTMLElement | null, html: string): void {
  const { search, hash, key } = useLocation();
  useEffect(() => {
    const params = new URLSearchParams(search);
    const target = { anchor: decodeURIComponent(hash.slice(1)), step: params.get("step"), at: params.get("at") };
    const article = box?.querySelector<HTMLElement>(".reading");
    if (!article || (target.step === null && target.at === null)) return undefined;
    let leave: (() => void) | null = () => undefined;
    // most addresses name none
    void import("./show-step.ts").then(({ showStep }) => {
      if (leave) leave = showStep(article, target);
    });
    return () => {
      leave?.();
      leave = null;
    };
  }, [box, html, search, hash, key]);
}
