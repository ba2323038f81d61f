import { ListChecks, MailQuestion } from "lucide-react";
import { useState } from "react";
import type { Sop } from "#core/sops/schema.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { AskDialog } from "./AskDialog.tsx";
import { MatrixDialog } from "./MatrixDialog.tsx";
import { Progress, type Matrix } from "./Progress.tsx";
import { texts } from "./texts.ts";

interface AskedReadersProps {
  sop: Sop;
  matrix: Matrix;
  inForce: boolean;
}

/** For who asks: how many have confirmed, who that is, and whom to ask. */
export function AskedReaders({ sop, matrix, inForce }: AskedReadersProps) {
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
          ) : inForce ? (
            <Progress counts={counts} />
          ) : (
            <p className="text-muted">{texts.notInForce}</p>
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
      {shown === "ask" && <AskDialog sop={sop} ask={ask} onClose={() => setShown(null)} />}
      {shown === "matrix" && <MatrixDialog sop={sop} onClose={() => setShown(null)} />}
    </section>
  );
}
