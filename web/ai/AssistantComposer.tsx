import { Search, SendHorizontal } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { limits } from "#core/limits.ts";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import type { GenerationStage } from "./read-stages.ts";
import { texts } from "./texts.ts";
import type { DraftGeneration } from "./use-generation.ts";
import { panelId } from "./use-panel.ts";

const maxPromptCharacters = limits.promptCharacters;
/** The maximum length of a search in characters. */
const maxSearchCharacters = 200;
/** From this length on, the box shows how many characters are left. */
const counterShownFrom = maxPromptCharacters - 200;

interface AssistantComposerProps {
  generation: DraftGeneration;
  /** The answerer of a message. Null while it is unknown, which disables the box. */
  answersBy: "ai" | "search" | null;
  /** Called with the words to search for, and with "" when the user empties the box. */
  onSearch(question: string): void;
}

/** The assistant's message box. Enter sends, Shift+Enter starts a line. A blank message is not sent. */
export function AssistantComposer({ generation, answersBy, onSearch }: AssistantComposerProps) {
  const { prompt, setPrompt, isRunning, stage, wasCancelled, start, cancel } = generation;
  const disabled = answersBy === null;
  const isSearch = answersBy === "search";
  const label = isSearch ? texts.inputWithoutAi : texts.input;
  const sendPrompt = () => {
    if (answersBy === "ai") void start();
    if (isSearch && prompt.trim() !== "") onSearch(prompt.trim().slice(0, maxSearchCharacters));
  };
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // The panel has the focus if it opened before the box was enabled. The focus then moves to the box.
    if (!disabled && document.activeElement?.id === panelId) box.current?.focus();
  }, [disabled]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    sendPrompt();
  };
  return (
    <form
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        sendPrompt();
      }}
      className="grid gap-2 border-t border-line p-3"
    >
      <output className="flex items-center gap-2 empty:hidden">
        {isRunning ? (
          <>
            <Spinner />
            <span className="min-w-0">
              {texts.generating}
              {stage?.title && <span className="block text-muted">{stageText(stage, stage.title)}</span>}
              <ElapsedProgress characters={stage?.characters ?? 0} />
            </span>
          </>
        ) : (
          wasCancelled && texts.cancelled
        )}
      </output>
      <div className="relative">
        <Textarea
          ref={box}
          aria-label={label}
          placeholder={label}
          maxLength={isSearch ? maxSearchCharacters : maxPromptCharacters}
          disabled={disabled}
          readOnly={isRunning}
          value={prompt}
          onChange={({ target }) => {
            setPrompt(target.value);
            if (target.value === "") onSearch("");
          }}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-64 min-h-20 resize-none pr-12"
        />
        {!isRunning && (
          <IconButton
            label={isSearch ? texts.search : texts.send}
            size="sm"
            type="submit"
            variant="primary"
            disabled={disabled || prompt.trim() === ""}
            className="absolute right-2 bottom-2"
          >
            {isSearch ? <Search aria-hidden /> : <SendHorizontal aria-hidden />}
          </IconButton>
        )}
      </div>
      {prompt.length >= counterShownFrom && (
        <output className="text-right text-xs text-muted tabular-nums">{`${prompt.length} / ${maxPromptCharacters}`}</output>
      )}
      {isRunning && (
        <div className="flex justify-end gap-2">
          <Button size="sm" onClick={cancel}>
            {texts.cancel}
          </Button>
          <Button size="sm" variant="primary" disabled>
            {texts.busy}
          </Button>
        </div>
      )}
    </form>
  );
}

/** Shows that the model is working: the characters received so far and the seconds since the start. */
function ElapsedProgress({ characters }: { characters: number }) {
  const [started] = useState(Date.now);
  const [now, setNow] = useState(started);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.round((now - started) / 1000);
  const text = [
    characters > 0 && texts.characters({ count: characters }),
    seconds > 0 && texts.seconds({ count: seconds }),
  ]
    .filter(Boolean)
    .join(" · ");
  // A screen reader announces the stages but not the seconds.
  return (
    <span aria-hidden className="block text-xs text-muted tabular-nums empty:hidden">
      {text}
    </span>
  );
}

function stageText({ stage, steps, faults }: GenerationStage, title: string): string {
  if (stage === "checking") return texts.checking({ title, steps: steps ?? 0 });
  return stage === "repairing" ? texts.repairing({ faults: faults ?? 0 }) : texts.drafting({ title });
}
