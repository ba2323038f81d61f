import { ListChecks, MailQuestion } from "lucide-react";
import { useState } from "react";
import { mayAskAcknowledgement } from "#core/acknowledgements/rules.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../api.ts";
import { actorOf, useMe } from "../session.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { RequestReadingDialog } from "./RequestReadingDialog.tsx";
import { ConfirmationsDialog } from "./ConfirmationsDialog.tsx";
import { Progress, type Confirmations } from "./Progress.tsx";
import { ReadBar } from "./ReadBar.tsx";
import { texts } from "./texts.ts";

/**
 * What a reader owes or has confirmed, and for who asks how far the others are. Beside the article, not in it: the question
 * stays at the lower edge of the window while the text is read.
 */
export function AcknowledgementPanel({ sop }: { sop: Sop }) {
  const mayAsk = mayAskAcknowledgement(actorOf(useMe()), { ...sop, deletedAt: null });
  const enabled = sop.published !== null || mayAsk;
  // an SOP without it is read all the same
  const { data } = useRead("acknowledgements", "get", { params: { id: sop.id } }, { enabled });
  if (!data) return null;
  return (
    <>
      {data.mayAsk && data.matrix && (
        <AskedReaders sop={sop} matrix={data.matrix} isPublished={data.inForce !== null} />
      )}
      <ReadBar sop={sop} data={data} />
    </>
  );
}

interface AskedReadersProps {
  sop: Sop;
  matrix: Confirmations;
  isPublished: boolean;
}

/** For who asks: how many have confirmed, who that is, and whom to ask. */
function AskedReaders({ sop, matrix, isPublished }: AskedReadersProps) {
  const [shown, setShown] = useState<"ask" | "matrix" | null>(null);
  const { ask, counts, people } = matrix;
  return (
    <section aria-labelledby="acknowledgement-heading" data-print="hide" className="mt-6">
      <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4">
        <div className="min-w-0 flex-1 basis-64">
          <h2 id="acknowledgement-heading" className="font-semibold">
            {texts.heading}
          </h2>
          {!ask ? (
            <p className="text-muted">{texts.nobodyAsked}</p>
          ) : isPublished ? (
            <Progress counts={counts} />
          ) : (
            <p className="text-muted">{texts.notPublished}</p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {(ask || people.length > 0) && (
            <Button onClick={() => setShown("matrix")}>
              <ListChecks aria-hidden />
              {texts.everybody}
            </Button>
          )}
          <Button onClick={() => setShown("ask")}>
            <MailQuestion aria-hidden />
            {ask ? texts.change : texts.ask}
          </Button>
        </div>
      </Card>
      {shown === "ask" && <RequestReadingDialog sop={sop} ask={ask} onClose={() => setShown(null)} />}
      {shown === "matrix" && <ConfirmationsDialog sop={sop} onClose={() => setShown(null)} />}
    </section>
  );
}
