/** Where an SOP's screen asks "Have you read it?"; the code loads after the text. */
import { lazy, Suspense } from "react";
import { mayAskAcknowledgement } from "#core/acknowledgements/rules.ts";
import type { Sop } from "#core/sops/schema.ts";
import { actorOf, useMe } from "../session.tsx";

const AcknowledgementPanel = lazy(() =>
  import("./AcknowledgementPanel.tsx").then((module) => ({ default: module.AcknowledgementPanel })),
);

/** Beside the article, not in it: the question stays at the lower edge of the window while the text is read. */
export function AcknowledgementPlace({ sop }: { sop: Sop }) {
  const publishedVersion = sop.published?.version ?? null;
  const mayAsk = mayAskAcknowledgement(actorOf(useMe()), { ...sop, deletedAt: null, publishedVersion });
  if (publishedVersion === null && !mayAsk) return null;
  return (
    <Suspense fallback={null}>
      <AcknowledgementPanel sop={sop} />
    </Suspense>
  );
}
