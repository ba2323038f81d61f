/** What blocks publishing, above everything else; each issue leads to its place. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";
import { useClient } from "../../api.ts";
import type { Finding } from "../../editor/findings.ts";
import { Alert } from "../../ui/Alert.tsx";
import { textCheck } from "./text-check.ts";

const texts = {
  title: (count: number) => `${count} ${count === 1 ? "issue blocks" : "issues block"} publishing`,
} as const;

interface BlockingIssuesProps {
  sop: Sop;
  /** On the edit screen; elsewhere they lead there. */
  onShow?: ((issue: Finding, text: string) => void) | undefined;
  onLeave(): void;
}

export function useBlockingIssues({ markdown, title, description, isTemplate, lang, isAiGenerated, ...sop }: Sop) {
  const dates = { effectiveAt: sop.control.effective ?? "", reviewBy: sop.reviewBy ?? "" };
  const body = { markdown, title, description, ...dates, isTemplate, lang, isAiGenerated };
  return useQuery(textCheck(useClient(), body)).data?.findings.filter(({ stops }) => stops) ?? [];
}

export function BlockingIssues({ sop, onShow, onLeave }: BlockingIssuesProps) {
  const issues = useBlockingIssues(sop);
  if (issues.length === 0) return null;
  const style = "text-left text-primary underline-offset-2 hover:underline";
  return (
    <Alert tone="destructive" live title={texts.title(issues.length)}>
      <ul className="grid gap-1">
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
  );
}
