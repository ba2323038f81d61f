import { clsx } from "clsx";
import { ShieldCheck } from "lucide-react";
import { useForm } from "react-hook-form";
import { isMaskedKey } from "#core/settings/ai-key.ts";
import type { UserSettings } from "#core/settings/schema.ts";
import { OwnAiUsage } from "../ai/Usage.tsx";
import { useRead, useWrite } from "../api.ts";
import { LeaveGuard } from "../shell/LeaveGuard.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { showFieldErrors } from "../ui/server-errors.ts";
import { Switch } from "../ui/Switch.tsx";
import { useToast } from "../ui/Toast.tsx";
import { KeyField, type AiFormValues } from "./KeyField.tsx";
import { SkeletonLines } from "./SkeletonLines.tsx";
import { Section } from "./Section.tsx";
import { aiTexts, texts } from "./texts.ts";

/** The sections about the key and about security. Both are in one form, with one Cancel and one Save button. */
export function AiSection() {
  const settings = useRead("settings", "get", {});
  return (
    // The height matches that of the form, so that other sections don't move when it loads.
    <div id="ai" className={clsx("scroll-mt-20", settings.isPending && "min-h-163")}>
      {settings.data ? (
        <AiForm settings={settings.data} />
      ) : (
        <Section id="ai-key" title={aiTexts.title} description={aiTexts.description}>
          {settings.isError ? (
            <ErrorState title={texts.loadFailed} onRetry={() => void settings.refetch()} />
          ) : (
            <SkeletonLines count={3} label={texts.loading} />
          )}
        </Section>
      )}
    </div>
  );
}

const aiFormValuesOf = (settings: UserSettings): AiFormValues => ({
  openaiApiKey: settings.openaiApiKey ?? "",
  aiFeaturesEnabled: settings.aiFeaturesEnabled,
});

function AiForm({ settings }: { settings: UserSettings }) {
  const toast = useToast();
  const update = useWrite("settings", "update");
  const form = useForm<AiFormValues>({ values: aiFormValuesOf(settings), resetOptions: { keepDirtyValues: true } });
  const { isSubmitting, isDirty, errors } = form.formState;
  const cancel = () => form.reset(aiFormValuesOf(settings), { keepDirtyValues: false });
  const submit = form.handleSubmit(async ({ openaiApiKey: key, aiFeaturesEnabled }) => {
    try {
      const body = { aiFeaturesEnabled, ...(isMaskedKey(key) ? {} : { openaiApiKey: key.trim() }) };
      form.reset(aiFormValuesOf(await update.mutateAsync({ body })), { keepDirtyValues: false });
      toast({ title: aiTexts.savedTitle, description: aiTexts.saved });
    } catch (error) {
      showFieldErrors(error, ["openaiApiKey"], form.setError);
      toast({ title: texts.saveFailedTitle, description: texts.saveFailed, variant: "destructive" });
    }
  });
  const hasKey = settings.hasApiKey || settings.hasGlobalApiKey;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label={aiTexts.title} className="grid gap-10">
      <Section id="ai-key" title={aiTexts.title} description={aiTexts.description}>
        <div className="grid gap-5">
          {!settings.companyAiEnabled && (
            <Alert tone="warning" title={aiTexts.companyOff}>
              {aiTexts.companyOffText}
            </Alert>
          )}
          {settings.hasGlobalApiKey && (
            <Alert tone="success" title={aiTexts.globalTitle}>
              {aiTexts.global}
            </Alert>
          )}
          {settings.apiKeyProblem !== null && (
            <Alert tone="warning" title={aiTexts.keyProblem}>
              {settings.apiKeyProblem}
            </Alert>
          )}
          <KeyField form={form} isStored={settings.hasApiKey} error={errors.openaiApiKey?.message} />
          {!hasKey && (
            <p className="text-sm text-muted">
              <span className="block font-medium text-text">{aiTexts.noKeyTitle}</span>
              {aiTexts.noKey}
            </p>
          )}
          <Switch label={aiTexts.enable} hint={aiTexts.enableHint} {...form.register("aiFeaturesEnabled")} />
          {hasKey && <OwnAiUsage />}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={isSubmitting}>
              {isSubmitting ? aiTexts.saving : aiTexts.save}
            </Button>
            <Button onClick={cancel}>{texts.cancel}</Button>
          </div>
        </div>
      </Section>
      <LeaveGuard isDirty={isDirty} onLeave={cancel} />
      <Section id="ai-security" title={aiTexts.securityTitle}>
        <ul className="grid gap-2">
          {Object.values(aiTexts.security).map((line) => (
            <li key={line} className="flex items-start gap-2.5">
              <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
              {line}
            </li>
          ))}
        </ul>
      </Section>
    </form>
  );
}
