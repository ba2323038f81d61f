import { useState } from "react";
import { Link } from "react-router-dom";
import { RetryAlert } from "../ui/Alert.tsx";
import { AssistantComposer } from "./AssistantComposer.tsx";
import { AiFailureNotice } from "./AiFailureNotice.tsx";
import { DraftCreatedNotice } from "./DraftCreatedNotice.tsx";
import { linkLineStyle } from "./line-style.ts";
import { QuickActions } from "./QuickActions.tsx";
import { SearchAnswer } from "./SearchAnswer.tsx";
import { Suggestions } from "./Suggestions.tsx";
import { texts } from "./texts.ts";
import { canUserTurnOnAi, useAi, type AiState } from "./use-ai.ts";
import { useAssistantPanel } from "./use-panel.ts";
import type { DraftGeneration } from "./use-generation.ts";

interface PanelBodyProps {
  generation: DraftGeneration;
  /** The text that was searched for because AI is off; "" without a search. */
  question: string;
  setQuestion(question: string): void;
}

/**
 * The content of the assistant's panel. Without AI, rules carry out the same actions, and the message box searches
 * instead.
 */
export function PanelBody({ generation, question, setQuestion }: PanelBodyProps) {
  const ai = useAi();
  const [accepted, setAccepted] = useState<{ id: string; title: string } | null>(null);
  const { made, failure } = generation;
  return (
    <>
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start gap-5 overflow-y-auto p-4">
        {made && <DraftCreatedNotice made={made} onDismiss={generation.clear} />}
        {accepted && <DraftCreatedNotice made={accepted} onDismiss={() => setAccepted(null)} />}
        {failure && <AiFailureNotice failure={failure} onRetry={() => void generation.start()} />}
        {ai.off && question !== "" && <SearchAnswer question={question} />}
        <div className="grid gap-2">
          <QuickActions by={ai.off ? "rules" : "ai"} disabled={!ai.isOn && !ai.off} />
          <AiOffNotice ai={ai} />
        </div>
        <Suggestions onAccepted={setAccepted} />
      </div>
      <AssistantComposer
        generation={generation}
        answersBy={ai.isOn ? "ai" : ai.off ? "search" : null}
        onSearch={setQuestion}
      />
    </>
  );
}

/**
 * Says why AI is off: with a link if the user can turn AI on, or a button if the settings couldn't be read. Shows
 * nothing while AI is on.
 */
function AiOffNotice({ ai: { off, retry } }: { ai: AiState }) {
  const { close } = useAssistantPanel();
  if (off === null) return null;
  if (canUserTurnOnAi(off)) {
    return (
      <Link to="/settings#ai" className={linkLineStyle} onClick={close}>
        {texts.off[off]}
      </Link>
    );
  }
  if (off === "company") return <p className="text-xs text-muted">{texts.off.company}</p>;
  return <RetryAlert text={texts.off.unknown} retry={texts.retry} onRetry={retry} />;
}
