/** The state at the top of the mirror's page: whether the mirror is up to date, or why it isn't. */
import { Link } from "react-router-dom";
import { errorMessageOf, useWrite, type Output } from "../api.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { CopyField } from "../ui/CopyField.tsx";
import { FieldError } from "../ui/Field.tsx";
import { dateTimeText, timeAgo } from "../ui/time.ts";
import { texts } from "./texts.ts";

type MirrorSettings = Output<"mirror", "get">;

export function MirrorState({ mirror }: { mirror: MirrorSettings }) {
  const { state, lag, pushedAt, problem, retryAt, diverged } = mirror;
  const ago = pushedAt === null ? null : timeAgo(pushedAt);
  switch (state) {
    case "off":
      return null;
    case "waiting":
      return <p className="text-sm">{texts.waiting}</p>;
    case "current":
      return (
        <div className="grid gap-1 text-sm">
          <p>
            {[lag === 0 ? texts.current : texts.behind({ count: lag }), ago !== null && texts.lastPush({ ago })]
              .filter(Boolean)
              .join(" ")}
          </p>
          <IncomingProposals incoming={mirror.incoming} />
        </div>
      );
    case "failing":
      return (
        <Alert tone="warning" title={texts.failing} actions={<CheckMirrorButton />}>
          <p>{problem}.</p>
          <p>{retryAt !== null && texts.next({ when: dateTimeText(retryAt) })}</p>
        </Alert>
      );
    case "paused":
      return (
        <Alert
          tone="warning"
          title={texts.paused}
          actions={<CheckMirrorButton label={texts.resume} failed={texts.resumeFailed} />}
        >
          <p>{texts.pausedText}</p>
        </Alert>
      );
    case "stopped":
      return (
        <Alert
          tone="destructive"
          title={texts.stopped}
          actions={
            <>
              {!mirror.taking && mirror.stoppedTaken === null && <TakeProposalsButton />}
              <CheckMirrorButton />
            </>
          }
        >
          <p>{mirror.taking ? texts.taking : texts.stoppedText}</p>
          {mirror.stoppedTaken && <TakenProposals taken={mirror.stoppedTaken} />}
          <div className="mt-2 grid gap-3">
            {diverged.map(({ ref, command }) => (
              <CopyField
                key={ref}
                label={texts.reset({ ref: ref.replace(/^refs\/(heads|tags)\//, "") })}
                hint={texts.resetHint}
                value={command}
                copiedStatus={texts.copied}
                className="font-mono text-t2"
              />
            ))}
          </div>
        </Alert>
      );
  }
}

function IncomingProposals({ incoming }: Pick<MirrorSettings, "incoming">) {
  if (incoming === null) return null;
  return (
    <>
      {incoming.taken && <TakenProposals taken={incoming.taken} />}
      {incoming.open > 0 && (
        <Link to="/proposals" className="inline-flex min-h-6 items-center">
          {texts.open({ count: incoming.open })}
        </Link>
      )}
      {incoming.problem !== null && <p className="text-warning">{incoming.problem}.</p>}
    </>
  );
}

function TakenProposals({
  taken: { at, proposed, refused, lines },
}: {
  taken: NonNullable<MirrorSettings["stoppedTaken"]>;
}) {
  return (
    <div>
      <p>{texts.taken({ ago: timeAgo(at), proposed, refused })}</p>
      {refused > 0 && (
        <details>
          <summary className="min-h-6 text-muted">{texts.details}</summary>
          <pre className="overflow-x-auto text-t2 whitespace-pre-wrap">{lines.join("\n")}</pre>
        </details>
      )}
    </div>
  );
}

function TakeProposalsButton() {
  const take = useWrite("mirror", "take");
  return (
    <>
      <Button size="sm" busy={take.isPending} onClick={() => take.mutate({})}>
        {texts.take}
      </Button>
      <FieldError message={take.isError ? errorMessageOf(take.error, texts.takeFailed) : undefined} />
    </>
  );
}

function CheckMirrorButton({ label = texts.check, failed = texts.checkFailed }: { label?: string; failed?: string }) {
  const check = useWrite("mirror", "check");
  return (
    <>
      <Button size="sm" busy={check.isPending} onClick={() => check.mutate({})}>
        {label}
      </Button>
      <FieldError message={check.isError ? errorMessageOf(check.error, failed) : undefined} />
    </>
  );
}
