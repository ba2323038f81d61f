import { useState } from "react";
import { mailKinds, type MailKind } from "#core/settings/mail-kinds.ts";
import { errorMessageOf, useRead, useWrite } from "../api.ts";
import { useAccountRules, useMe } from "../session.tsx";
import { Alert } from "../ui/Alert.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { Switch } from "../ui/Switch.tsx";
import { useToast } from "../ui/Toast.tsx";
import { SkeletonLines } from "./SkeletonLines.tsx";
import { Section } from "./Section.tsx";
import { mailTexts, profileTexts, texts } from "./texts.ts";

export function MailSection() {
  const { email, emailVerified } = useMe();
  const { sendsEmail } = useAccountRules();
  const settings = useRead("settings", "get", {});
  return (
    <Section id="mail" title={mailTexts.title} description={sendsEmail && email && mailTexts.to({ email })}>
      <div className="grid gap-4">
        {!sendsEmail ? (
          <Alert tone="info" title={mailTexts.unsent}>
            {mailTexts.unsentText}
          </Alert>
        ) : (
          (email === null || !emailVerified) && (
            <Alert tone="warning" title={email === null ? mailTexts.noAddress : profileTexts.unconfirmed}>
              <a href="#profile" className="inline-block py-0.5 text-primary underline">
                {email === null ? mailTexts.noAddressText : mailTexts.unconfirmedText}
              </a>
            </Alert>
          )
        )}
        {settings.data ? (
          <MailSwitches choices={settings.data.mailChoices} />
        ) : settings.isError ? (
          <ErrorState title={texts.loadFailed} onRetry={() => void settings.refetch()} />
        ) : (
          <SkeletonLines count={mailKinds.length} label={texts.loading} />
        )}
      </div>
    </Section>
  );
}

/** Each switch saves at once. If the server refuses, the switch goes back. */
function MailSwitches({ choices }: { choices: Record<MailKind, boolean> }) {
  const toast = useToast();
  const update = useWrite("settings", "update");
  const [chosen, setChosen] = useState<Partial<Record<MailKind, boolean>>>({});
  const chooseMail = (kind: MailKind, wanted: boolean) => {
    setChosen((last) => ({ ...last, [kind]: wanted }));
    update.mutate(
      { body: { mailChoices: { [kind]: wanted } } },
      {
        onError: (error) => {
          setChosen((last) => ({ ...last, [kind]: !wanted }));
          toast({
            title: texts.saveFailedTitle,
            description: errorMessageOf(error, mailTexts.failed),
            variant: "destructive",
          });
        },
      },
    );
  };
  return (
    <div className="grid gap-4">
      {mailKinds.map((kind) => (
        <Switch
          key={kind}
          {...mailTexts.kinds[kind]}
          checked={chosen[kind] ?? choices[kind]}
          onChange={(event) => chooseMail(kind, event.target.checked)}
        />
      ))}
    </div>
  );
}
