import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";
import { useClient } from "../api.ts";
import { countText } from "../editor/finding-texts.ts";
import { textCheck } from "../sops/text-check.ts";
import { texts } from "./texts.ts";

/** What the checks find in the version that is submitted, as soon as it is known; of a clean text nothing. It stops nobody here. */
export function SubmittedChecks({ sop, onLeave }: { sop: Sop; onLeave(): void }) {
  const { markdown, title, description, isTemplate, lang, isAiGenerated } = sop;
  const dates = { effectiveAt: sop.control.effective ?? "", reviewBy: sop.reviewBy ?? "" };
  const body = { markdown, title, description, ...dates, isTemplate, lang, isAiGenerated };
  const { findings = [], more = 0 } = useQuery(textCheck(useClient(), body)).data ?? {};
  const counted = countText(findings, more);
  if (counted === "") return null;
  const stops = findings.filter((one) => one.stops).length;
  return (
    <output className="block text-sm text-muted">
      {`${texts.checks}: ${counted}. `}
      {stops > 0 && <strong className="font-medium text-text">{`${texts.checksStop(stops)} `}</strong>}
      <Link to={`/sop/${sop.id}/edit`} className="text-primary underline underline-offset-2" onClick={onLeave}>
        {texts.seeChecks}
      </Link>
    </output>
  );
}
