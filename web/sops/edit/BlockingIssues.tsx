/** What blocks publishing, above everything else, said once; each issue leads to its place. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { catalog } from "#core/language/catalog.ts";
import { ApiError } from "#core/api/client.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useClient } from "../../api.ts";
import type { Finding } from "../../editor/findings.ts";
import { Alert } from "../../ui/Alert.tsx";
import { textCheck, textToCheck } from "./text-check.ts";

const texts = catalog("sops.edit.blocking-issues", {
  title: "{count, plural, one {# issue blocks} other {# issues block}} publishing",
});

/** Of the last try, and how to say it. */
export interface Refusal {
  error: unknown;
  text: string;
}

interface BlockingIssuesProps {
  sop: Sop;
  refusal: Refusal | null;
  /** On the edit screen; elsewhere they lead there. */
  onShow?: ((issue: Finding, text: string) => void) | undefined;
  onLeave(): void;
}

function useBlockingIssues(sop: Sop) {
  return useQuery(textCheck(useClient(), textToCheck(sop))).data?.findings.filter(({ stops }) => stops) ?? [];
}

export function BlockingIssues({ sop, refusal, onShow, onLeave }: BlockingIssuesProps) {
  const issues = useBlockingIssues(sop);
  const list = useRef<HTMLUListElement>(null);
  const isListed = issues.length > 0 && refusal !== null && hasFindings(refusal.error);
  useEffect(() => {
    if (isListed) list.current?.querySelector<HTMLElement>("button, a")?.focus();
  }, [isListed, refusal]);
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
                  <button type="button" className={style} onClick={() => onShow(issue, sop.markdown)}>
                    {issue.message}
                  </button>
                ) : (
                  <Link to={`/sop/${sop.id}/edit`} className={style} onClick={onLeave}>
                    {issue.message}
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

/** The company's rules refused the text. */
function hasFindings(error: unknown): boolean {
  return error instanceof ApiError && Array.isArray((error.details as { findings?: unknown } | undefined)?.findings);
}
