import { mayAskAcknowledgement } from "#core/acknowledgements/rules.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../api.ts";
import { actorOf, useMe } from "../session.tsx";
import { AskedReaders } from "./AskedReaders.tsx";
import { ReadBar } from "./ReadBar.tsx";

/**
 * What a reader owes or has confirmed, and for who asks how far the others are. Beside the article, not in it: the question
 * stays at the lower edge of the window while the text is read.
 */
export function AcknowledgementPanel({ sop }: { sop: Sop }) {
  const publishedVersion = sop.published?.version ?? null;
  const mayAsk = mayAskAcknowledgement(actorOf(useMe()), { ...sop, deletedAt: null, publishedVersion });
  const enabled = publishedVersion !== null || mayAsk;
  // an SOP without it is read all the same
  const { data } = useRead("acknowledgements", "get", { params: { id: sop.id } }, { enabled });
  if (!data) return null;
  return (
    <>
      {data.mayAsk && data.matrix && <AskedReaders sop={sop} matrix={data.matrix} inForce={data.inForce !== null} />}
      <ReadBar sop={sop} data={data} />
    </>
  );
}
