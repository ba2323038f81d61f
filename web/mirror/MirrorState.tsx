/** The first line of the mirror's page: how far it is, or why it isn't. */
import { messageOf, useWrite, type Output } from "../api.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { CopyField } from "../ui/CopyField.tsx";
import { FieldError } from "../ui/Field.tsx";
import { dateTimeText, timeAgo } from "../ui/time.ts";
import { texts } from "./texts.ts";

type Mirror = Output<"mirror", "get">;

export function MirrorState({ mirror }: { mirror: Mirror }) {
  const { state, lag, pushedAt, problem, retryAt, diverged } = mirror;
  const ago = pushedAt === null ? null : timeAgo(pushedAt);
  switch (state) {
    case "off":
      return null;
    case "waiting":
      return <p className="text-sm">{texts.waiting}</p>;
    case "current":
      return <p className="text-sm">{lag === 0 ? texts.current(ago) : texts.behind(lag, ago)}</p>;
    case "failing":
      return (
        <Alert tone="warning" title={texts.failing} actions={<CheckButton />}>
          <p>{problem}.</p>
          <p>{retryAt !== null && texts.next(dateTimeText(retryAt))}</p>
        </Alert>
      );
    case "stopped":
      return (
        <Alert tone="destructive" title={texts.stopped} actions={<CheckButton />}>
          <p>{texts.stoppedText}</p>
          <div className="mt-2 grid gap-3">
            {diverged.map(({ ref, command }) => (
              <CopyField
                key={ref}
                label={texts.reset(ref.replace(/^refs\/(heads|tags)\//, ""))}
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

function CheckButton() {
  const check = useWrite("mirror", "check");
  return (
    <>
      <Button size="sm" busy={check.isPending} onClick={() => check.mutate({})}>
        {texts.check}
      </Button>
      <FieldError message={check.isError ? messageOf(check.error, texts.checkFailed) : undefined} />
    </>
  );
}
