/** The webhook by which the remote repository reports new commits. */
import { messageOf, useWrite } from "../api.ts";
import { settingStyle } from "../companies/own/Setting.tsx";
import { Button } from "../ui/Button.tsx";
import { CopyField } from "../ui/CopyField.tsx";
import { FieldError } from "../ui/Field.tsx";
import { texts } from "./texts.ts";

export function Webhook({ url, hasSecret }: { url: string; hasSecret: boolean }) {
  const make = useWrite("mirror", "secret");
  return (
    <div className={`${settingStyle} grid gap-3`}>
      <CopyField
        label={texts.webhook}
        hint={texts.webhookHint}
        value={url}
        copiedStatus={texts.copied}
        className="font-mono text-t2"
      />
      {make.data && (
        <CopyField
          label={texts.secret}
          hint={texts.secretHint}
          value={make.data.secret}
          copiedStatus={texts.copied}
          className="font-mono text-t2"
          takesFocus
        />
      )}
      <div>
        <Button busy={make.isPending} onClick={() => make.mutate({})}>
          {hasSecret || make.data ? texts.newSecret : texts.makeSecret}
        </Button>
        <FieldError message={make.isError ? messageOf(make.error, texts.secretFailed) : undefined} />
      </div>
    </div>
  );
}
