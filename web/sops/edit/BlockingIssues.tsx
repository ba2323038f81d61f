/** Lists issues that block publishing, at the top of a dialog. Each issue links to its place in the text. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { catalog } from "#core/language/catalog.ts";
import { ApiError } from "#core/api/client.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useClient } from "../../api.ts";
import type { CheckFinding } from "../../editor/findings.ts";
import { findingText } from "../../editor/finding-texts.ts";
import { Alert } from "../../ui/Alert.tsx";
import { textCheckQuery, textToCheck } from "./text-check.ts";

const texts = catalog("sops.edit.blocking-issues", {
  title: "{count, plural, one {# issue blocks} other {# issues block}} publishing",
});

/** The error of the last attempt to publish or submit, and its text for the user. */
export interface RefusedSave {
  error: unknown;
  text: string;
}

interface BlockingIssuesProps {
  sop: Sop;
  refusal: RefusedSave | null;
  /** Shows an issue's place on the edit screen. On other screens issues link to the edit screen. */
  onShow?: ((issue: CheckFinding, text: string) => void) | undefined;
  /** Called before the issue is shown, or another screen opens. */
  onLeave(): void;
}

function useBlockingIssues(sop: Sop) {
  return useQuery(textCheckQuery(useClient(), textToCheck(sop))).data?.findings.filter(({ stops }) => stops) ?? [];
}

export function BlockingIssues({ sop, refusal, onShow, onLeave }: BlockingIssuesProps) {
  const issues = useBlockingIssues(sop);
  const list = useRef<HTMLUListElement>(null);
  const isListed = issues.length > 0 && refusal !== null && hasFindings(refusal.error);
  useEffect(() => {
    if (isListed) list.current?.querySelector<HTMLElement>("button, a")?.focus();
  }, [isListed, refusal]);
  const showIssue = (issue: CheckFinding, onIssue: (issue: CheckFinding, text: string) => void) => {
    onLeave();
    onIssue(issue, sop.markdown);
  };
  const style = "text-left text-primary underline-offset-2 hover:underline";
  return (
    <>
      {refusal && !isListed && (
        <Alert tone="destructive" live>
          {refusal.text}
        </Alert>
      )}
      {issues.length > 0 && (
        <Alert tone="destructive" live title={texts.title({ count: issues.length })}>
          <ul ref={list} className="grid gap-1">
            {issues.map((issue, index) => (
              <li key={index}>
                {onShow ? (
                  <button type="button" className={style} onClick={() => showIssue(issue, onShow)}>
                    {findingText(issue)}
                  </button>
                ) : (
                  <Link to={`/sop/${sop.id}/edit`} className={style} onClick={onLeave}>
                    {findingText(issue)}
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </>
  );
}

/** Says whether the server refused the text because of the company's writing rules. */
function hasFindings(error: unknown): boolean {
  return error instanceof ApiError && Array.isArray((error.details as { findings?: unknown } | undefined)?.findings);
}
