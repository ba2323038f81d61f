/** Shows whether the log can be trusted: its last check and signature, and how users can check it themselves. */
import { CircleDashed, ShieldAlert, ShieldCheck } from "lucide-react";
import { useRead, type Output } from "../api.ts";
import { Alert } from "../ui/Alert.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { dateTimeText, timeAgo } from "../ui/time.ts";
import { auditChainTexts as texts } from "./texts.ts";

type AuditChainState = Output<"audit", "state">;

export function AuditChainStatus() {
  const state = useRead("audit", "state", {});
  if (state.isError) return <Alert tone="warning">{texts.failed}</Alert>;
  if (!state.data) return <Skeleton className="h-6 pointer-coarse:h-17" />;
  return <AuditChainFacts state={state.data} />;
}

function AuditChainFacts({ state }: { state: AuditChainState }) {
  const { verification, checkpoint, key } = state;
  const total = state.seq + state.waiting;
  const signed = checkpoint
    ? texts.signed({ seq: checkpoint.seq, of: total, when: timeAgo(checkpoint.at) })
    : texts.unsigned({ of: total });
  return (
    <section aria-label={texts.title} className="flex flex-wrap items-baseline gap-x-3 text-t2">
      <div className="flex min-h-6 items-start gap-2">
        {verification === null ? (
          <CircleDashed aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
        ) : verification.ok ? (
          <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
        ) : (
          <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-destructive" />
        )}
        <div className="min-w-0">
          <p className="text-muted">
            <span className="font-medium text-text">
              {verification === null ? texts.unchecked : verification.ok ? texts.sound : texts.broken}
            </span>{" "}
            {verification && (
              <span title={dateTimeText(verification.at)}>
                {texts.checkedAt({ when: timeAgo(verification.at), rows: verification.rows })}{" "}
              </span>
            )}
            {signed}
          </p>
          {verification && !verification.ok && (
            <ul aria-label={texts.findings} className="mt-2 list-disc pl-5">
              {verification.findings.map(({ message }, index) => (
                <li key={index} className="break-words">
                  {message}
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
      <details className="max-w-full open:basis-full">
        <summary className="min-h-6 w-fit content-center text-muted pointer-coarse:min-h-11">{texts.more}</summary>
        <div className="grid gap-2 pt-1 pb-3">
          <p>
            {texts.how.before} <code className="font-mono">{texts.how.command}</code> {texts.how.after}
          </p>
          <p className="text-xs text-muted">{texts.key}</p>
          <pre
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
            tabIndex={0}
            className="overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs"
          >
            {key.publicKeyPem.trim()}
          </pre>
        </div>
      </details>
    </section>
  );
}
