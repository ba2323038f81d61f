import { useRead, useWrite } from "../../api.ts";
import { useMay } from "../../session.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { settingsLostTexts as texts } from "./texts.ts";

/**
 * A warning for company admins after a restore found no record of the company and set the settings from the audit log.
 * The warning stays until a company admin confirms the settings.
 */
export function SettingsLostAlert() {
  const mayChange = useMay()("company.settings");
  const company = useRead("company", "get", {});
  const update = useWrite("company", "update");
  const toast = useToast();
  if (!mayChange || company.data?.settingsLost !== true) return null;
  const confirmSettings = () =>
    update.mutate(
      { body: { settingsLost: false } },
      { onError: () => toast({ title: texts.failed, variant: "destructive" }) },
    );
  return (
    <Alert
      tone="warning"
      title={texts.title}
      actions={
        <Button disabled={update.isPending} onClick={confirmSettings}>
          {texts.checked}
        </Button>
      }
    >
      {texts.text}
    </Alert>
  );
}
