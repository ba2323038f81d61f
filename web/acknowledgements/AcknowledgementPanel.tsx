import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../api.ts";
import { AskedReaders } from "./AskedReaders.tsx";
import { ReadBar } from "./ReadBar.tsx";

/** What a reader owes or has confirmed, and for who asks how far the others are. */
export function AcknowledgementPanel({ sop }: { sop: Sop }) {
  // an SOP without it is read all the same
  const { data } = useRead("acknowledgements", "get", { params: { id: sop.id } });
  if (!data) return null;
  return (
    <>
      {data.mayAsk && data.matrix && <AskedReaders sop={sop} matrix={data.matrix} inForce={data.inForce !== null} />}
      <ReadBar sop={sop} data={data} />
    </>
  );
}
