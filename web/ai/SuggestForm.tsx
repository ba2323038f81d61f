import { useState } from "react";
import { limits } from "#core/limits.ts";
import { useWrite } from "../api.ts";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import { useToast } from "../ui/Toast.tsx";
import { aiFailureOf, type AiFailure } from "./ai-failure.ts";
import { AiFailureNotice } from "./AiFailureNotice.tsx";
import { suggestTexts as texts, type PanelActor } from "./texts.ts";

/** Scrolls the form into view, because it opens at the end of a panel that scrolls. */
const scrollFormIntoView = (form: HTMLFormElement | null) => form?.scrollIntoView?.({ block: "nearest" });

/** Requests suggestions for missing SOPs. Results appear in the list of suggestions. The rules need no input. */
export function SuggestForm({ by, onDone }: { by: PanelActor; onDone(): void }) {
  const toast = useToast();
  const askAi = useWrite("suggestions", "suggest");
  const askRules = useWrite("assistant", "suggest");
  const [teamContext, setTeamContext] = useState("");
  const [failure, setFailure] = useState<AiFailure | null>(null);
  const requestSuggestions = async (): Promise<void> => {
    setFailure(null);
    try {
      const body = { teamContext: teamContext.trim() };
      const found = by === "ai" ? await askAi.mutateAsync({ body }) : await askRules.mutateAsync({});
      toast({ title: texts.done, description: texts.found({ count: found.length }) });
      onDone();
    } catch (error) {
      const refused = aiFailureOf(error, texts.failed);
      setFailure(refused);
      toast({ title: texts.failedTitle, description: refused.text, variant: "destructive" });
    }
  };
  return (
    <form
      ref={scrollFormIntoView}
      onSubmit={(event) => {
        event.preventDefault();
        void requestSuggestions();
      }}
      className="grid gap-3 border-t border-line p-3"
    >
      {by === "ai" && (
        <Field label={texts.context} optional>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              maxLength={limits.promptCharacters}
              value={teamContext}
              onChange={(event) => setTeamContext(event.target.value)}
            />
          )}
        </Field>
      )}
      {failure && <AiFailureNotice failure={failure} onRetry={() => void requestSuggestions()} />}
      <Button type="submit" variant="primary" busy={askAi.isPending || askRules.isPending} className="justify-self-end">
        {texts.submit}
      </Button>
    </form>
  );
}
