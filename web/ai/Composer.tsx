import { SendHorizontal } from "lucide-react";
import { useEffect, useRef, type KeyboardEvent } from "react";
import { limits } from "#core/limits.ts";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import type { Stage } from "./read-stages.ts";
import { texts } from "./texts.ts";
import type { Generation } from "./use-generation.ts";
import { panelId } from "./use-panel.ts";

const most = limits.promptCharacters;
/** From here on it says how much room is left. */
const nearEnd = most - 200;

/** Enter sends, Shift+Enter starts a line. A blank message is not sent. */
export function Composer({ generation, disabled }: { generation: Generation; disabled: boolean }) {
  const { prompt, setPrompt, isRunning, stage, wasCancelled, start, cancel } = generation;
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // the panel was opened before it was known that one may write
    if (!disabled && document.activeElement?.id === panelId) box.current?.focus();
  }, [disabled]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void start();
  };
  return (
    <form
      aria-label={texts.input}
      onSubmit={(event) => {
        event.preventDefault();
        void start();
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
            </span>
          </>
        ) : (
          wasCancelled && texts.cancelled
        )}
      </output>
      <div className="relative">
        <Textarea
          ref={box}
          aria-label={texts.input}
          placeholder={texts.input}
          maxLength={most}
          disabled={disabled}
          readOnly={isRunning}
          value={prompt}
          onChange={(event) => setPrompt(event.target.value)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-64 min-h-20 resize-none pr-12"
        />
        {!isRunning && (
          <IconButton
            label={texts.send}
            size="sm"
            type="submit"
            variant="primary"
            disabled={disabled || prompt.trim() === ""}
            className="absolute right-2 bottom-2"
          >
            <SendHorizontal aria-hidden />
          </IconButton>
        )}
      </div>
      {prompt.length >= nearEnd && (
        <output className="text-right text-xs text-muted tabular-nums">{`${prompt.length} / ${most}`}</output>
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

function stageText({ stage, steps, faults }: Stage, title: string): string {
  if (stage === "checking") return texts.checking(title, steps ?? 0);
  return stage === "repairing" ? texts.repairing(faults ?? 0) : texts.drafting(title);
}
