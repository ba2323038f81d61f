import { useState } from "react";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Composer } from "./Composer.tsx";
import { FailureNotice, SetupLink } from "./FailureNotice.tsx";
import { DraftCreatedNotice } from "./DraftCreatedNotice.tsx";
import { QuickActions } from "./QuickActions.tsx";
import { Suggestions } from "./Suggestions.tsx";
import { texts } from "./texts.ts";
import { useAi, type AiState } from "./use-ai.ts";
import type { Generation } from "./use-generation.ts";

export function PanelBody({ generation }: { generation: Generation }) {
  const ai = useAi();
  const [accepted, setAccepted] = useState<{ id: string; title: string } | null>(null);
  const { made, failure } = generation;
  return (
    <>
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start gap-5 overflow-y-auto p-4">
        <OffNotice ai={ai} />
        {made && <DraftCreatedNotice made={made} onDismiss={generation.clear} />}
        {accepted && <DraftCreatedNotice made={accepted} onDismiss={() => setAccepted(null)} />}
        {failure && <FailureNotice failure={failure} onRetry={() => void generation.start()} />}
        <QuickActions by="ai" disabled={!ai.isOn} />
        {ai.off && <QuickActions by="rules" disabled={false} />}
        <Suggestions onAccepted={setAccepted} />
      </div>
      <Composer generation={generation} disabled={!ai.isOn} />
    </>
  );
}

/** Why AI is off, and where that can be changed. */
function OffNotice({ ai: { off, retry } }: { ai: AiState }) {
  switch (off) {
    case null:
      return null;
    case "no-key":
      return (
        <Alert tone="warning" title={texts.noKey} actions={<SetupLink />}>
          {texts.noKeyText}
        </Alert>
      );
    case "user":
      return (
        <Alert tone="warning" title={texts.userOff} actions={<SetupLink />}>
          {texts.userOffText}
        </Alert>
      );
    case "company":
      return (
        <Alert tone="warning" title={texts.companyOff}>
          {texts.companyOffText}
        </Alert>
      );
    case "unknown":
      return (
        <Alert
          tone="destructive"
          live
          actions={
            <Button size="sm" onClick={retry}>
              {texts.retry}
            </Button>
          }
        >
          {texts.unknown}
        </Alert>
      );
  }
}
