import { ListChecks, MailQuestion } from "lucide-react";
import { useState } from "react";
import type { Sop } from "#core/sops/schema.ts";
import { Button } from "../ui/Button.tsx";
import { ConfirmationsDialog } from "./ConfirmationsDialog.tsx";
import { ConfirmationProgress, type Confirmations } from "./ConfirmationProgress.tsx";
import { RequestReadingDialog } from "./RequestReadingDialog.tsx";
import { texts } from "./texts.ts";

interface AskedReadersProps {
  sop: Sop;
  matrix: Confirmations;
  isPublished: boolean;
}

/** For users who can ask others to read: how many have confirmed, a list of them, and a form to ask more people. */
export function AskedReaders({ sop, matrix, isPublished }: AskedReadersProps) {
  const [shown, setShown] = useState<"ask" | "matrix" | null>(null);
  const { ask, counts, people } = matrix;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 pb-4">
      <div className="min-w-0 flex-1 basis-64">
        {!ask ? (
          <p className="text-muted">{texts.nobodyAsked}</p>
        ) : isPublished ? (
          <ConfirmationProgress counts={counts} />
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
        {ask && (
          <Button onClick={() => setShown("ask")}>
            <MailQuestion aria-hidden />
            {texts.change}
          </Button>
        )}
      </div>
      {shown === "ask" && <RequestReadingDialog sop={sop} ask={ask} onClose={() => setShown(null)} />}
      {shown === "matrix" && <ConfirmationsDialog sop={sop} onClose={() => setShown(null)} />}
    </div>
  );
}
