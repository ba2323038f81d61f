/** The page about the mirror of the company's repository: its state and a form for the settings. */
import { useState } from "react";
import { providers, type MirrorProvider } from "#core/mirror/providers.ts";
import { Setting, settingStyle } from "../companies/own/Setting.tsx";
import { Topic } from "../companies/own/Topic.tsx";
import { TopicForm } from "../companies/own/TopicForm.tsx";
import { errorMessageOf, useRead, useWrite, type Output } from "../api.ts";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { Button } from "../ui/Button.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { FieldError } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Select } from "../ui/Select.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { Switch } from "../ui/Switch.tsx";
import { useToast } from "../ui/Toast.tsx";
import { useServerForm } from "../use-server-form.ts";
import { MirrorState } from "./MirrorState.tsx";
import { texts } from "./texts.ts";
import { CopyField } from "../ui/CopyField.tsx";

type MirrorSettings = Output<"mirror", "get">;

interface MirrorValues {
  url: string;
  username: string;
  token: string;
  provider: MirrorProvider;
  history: boolean;
  restricted: boolean;
  witness: boolean;
  incoming: string;
}

const fields = ["url", "username", "token", "provider", "history", "restricted", "witness", "incoming"] as const;
const providerOptions = providers.map((value) => ({ value, label: texts.providers[value] }));

export function MirrorPage() {
  const mirror = useRead("mirror", "get", {});
  if (mirror.isError) return <ErrorState title={texts.loadFailed} onRetry={() => void mirror.refetch()} />;
  if (!mirror.data) return <PageSpinner label={texts.loading} />;
  if (mirror.data.hosts.length === 0 && mirror.data.settings === null) {
    return (
      <Topic title={texts.title}>
        <p className="text-sm">{texts.noHosts}</p>
      </Topic>
    );
  }
  return <MirrorForm mirror={mirror.data} />;
}

function mirrorFormValuesOf({ settings }: MirrorSettings): MirrorValues {
  const {
    url = "",
    username = "",
    provider = "github",
    history = false,
    restricted = false,
    witness = false,
    incoming,
  } = settings ?? {};
  return { url, username, token: "", provider, history, restricted, witness, incoming: incoming ?? "" };
}

function MirrorForm({ mirror }: { mirror: MirrorSettings }) {
  const toast = useToast();
  const update = useWrite("mirror", "update");
  const form = useServerForm<MirrorValues>({
    values: mirrorFormValuesOf(mirror),
    resetOptions: { keepDirtyValues: true },
    fields,
    failed: texts.failed,
    send: async (values, form) => {
      const saved = await update.mutateAsync({ body: values });
      form.reset(mirrorFormValuesOf(saved), { keepDirtyValues: false });
      toast({ title: texts.saved });
    },
  });
  const { register } = form;
  const { errors } = form.formState;
  return (
    <TopicForm
      title={texts.title}
      description={texts.description}
      form={form}
      mayChange
      before={<MirrorState mirror={mirror} />}
      after={
        mirror.settings && (
          <>
            {mirror.webhook && <WebhookSetting url={mirror.webhook.url} hasSecret={mirror.webhook.hasSecret} />}
            <RemoveMirrorButton />
          </>
        )
      }
    >
      <Setting label={texts.url} hint={texts.urlHint({ hosts: mirror.hosts.join(", ") })} error={errors.url?.message}>
        {(control) => (
          <Input {...control} {...register("url")} type="url" autoComplete="off" placeholder="https://github.com/…" />
        )}
      </Setting>
      <Setting label={texts.username} hint={texts.usernameHint} error={errors.username?.message}>
        {(control) => <Input {...control} {...register("username")} autoComplete="off" autoCapitalize="off" />}
      </Setting>
      <Setting
        label={texts.token}
        hint={mirror.settings ? texts.tokenKept : texts.tokenHint}
        error={errors.token?.message}
      >
        {(control) => <Input {...control} {...register("token")} type="password" autoComplete="new-password" />}
      </Setting>
      <Setting label={texts.provider} error={errors.provider?.message}>
        {(control) => <Select {...control} {...register("provider")} options={providerOptions} />}
      </Setting>
      <div className={settingStyle}>
        <Switch {...register("history")} label={texts.history} hint={texts.historyHint} />
        <Switch {...register("restricted")} label={texts.restricted} hint={texts.restrictedHint} />
        <Switch {...register("witness")} label={texts.witness} hint={texts.witnessHint} />
      </div>
      <Setting label={texts.incoming} hint={texts.incomingHint} error={errors.incoming?.message}>
        {(control) => (
          <Input
            {...control}
            {...register("incoming")}
            autoComplete="off"
            autoCapitalize="off"
            placeholder="proposals"
          />
        )}
      </Setting>
    </TopicForm>
  );
}

function RemoveMirrorButton() {
  const toast = useToast();
  const remove = useWrite("mirror", "remove");
  const [isAsking, setAsking] = useState(false);
  const removeMirror = () =>
    remove.mutate(
      {},
      {
        onSuccess: () => {
          setAsking(false);
          toast({ title: texts.removed });
        },
      },
    );
  return (
    <div className="pt-4">
      <Button onClick={() => setAsking(true)}>{texts.remove}</Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={texts.removeTitle}
        description={texts.removeText}
        confirm={texts.remove}
        destructive
        busy={remove.isPending}
        onConfirm={removeMirror}
      >
        <FieldError message={remove.isError ? errorMessageOf(remove.error, texts.removeFailed) : undefined} />
      </AlertDialog>
    </div>
  );
}

/** Shows the address of the webhook by which the remote repository reports new commits, and creates its secret. */
function WebhookSetting({ url, hasSecret }: { url: string; hasSecret: boolean }) {
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
        <FieldError message={make.isError ? errorMessageOf(make.error, texts.secretFailed) : undefined} />
      </div>
    </div>
  );
}
