import { useEffect, useImperativeHandle, useRef, useState, type Ref } from "react";
import { formatMarkdown } from "#core/markdown/format.ts";
import { createDebounce } from "../ui/debounce.ts";
import type { CheckFinding } from "./findings.ts";
import type { MarkdownPosition } from "./finding-places.ts";
import type { EditorHandle } from "./editor-handle.ts";
import { applyFix } from "./apply-fix.ts";

interface SourceEditorProps {
  markdown: string;
  label: string;
  dir: "rtl" | "ltr" | undefined;
  describedBy: string | undefined;
  invalid: boolean;
  /** True to focus the field when it appears. */
  focus: boolean;
  onEdit(): void;
  onChange(markdown: string): void;
  onFixed(finding: CheckFinding): void;
  ref: Ref<EditorHandle>;
}

const pauseMs = 500;

/** Edits the Markdown itself. The text on screen stays as typed. `read` and `onChange` give it in canonical form. */
export function SourceEditor({
  markdown,
  label,
  dir,
  describedBy,
  invalid,
  focus,
  onEdit,
  onChange,
  onFixed,
  ref,
}: SourceEditorProps) {
  const [text, setText] = useState(markdown);
  const area = useRef<HTMLTextAreaElement>(null);
  const [rest] = useState(() => createDebounce(pauseMs));

  const readText = (): string => (text === markdown ? markdown : formatIfParsable(text));
  const replaceText = (next: string): void => {
    // A pending `onChange` would report the text before this one.
    rest.cancel();
    if (area.current) replaceAsTyped(area.current, next);
    rest.cancel();
    setText(next);
    onEdit();
    onChange(next);
  };
  const showFound = (at: MarkdownPosition, found: string): void => {
    import("./show-in-source.ts").then(
      ({ showInSource }) => area.current && showInSource(area.current, found, at),
      () => area.current?.focus(),
    );
  };
  useImperativeHandle(ref, () => ({
    read: readText,
    replace: replaceText,
    beginSteps: () => replaceText("> [!WARNING]\n>\n\n1.\n2.\n"),
    focus: () => area.current?.focus(),
    show: showFound,
    undo: () => area.current && undoOrRedo(area.current, "undo"),
    redo: () => area.current && undoOrRedo(area.current, "redo"),
    // A text area has no marks. The list beside it selects the words of a finding.
    showFindings: () => undefined,
    switchMode: () => undefined,
    switchFocusMode: () => undefined,
    fix: (finding, found) =>
      applyFix({ read: readText, replace: replaceText, show: showFound, onFixed }, finding, found),
  }));
  useEffect(() => {
    if (focus) area.current?.focus();
    return () => rest.cancel();
  }, [focus, rest]);

  return (
    <textarea
      ref={area}
      value={text}
      aria-label={label}
      dir={dir}
      aria-invalid={invalid}
      {...(describedBy && { "aria-describedby": describedBy })}
      spellCheck={false}
      autoCapitalize="off"
      className="editor-source"
      onChange={(event) => {
        const next = event.target.value;
        setText(next);
        onEdit();
        rest.schedule(() => onChange(formatIfParsable(next)));
      }}
    />
  );
}

/**
 * Replaces the changed part of the text as if the user had typed it, so that the browser can undo the change in one
 * step. If that fails, React sets the value.
 */
function replaceAsTyped(area: HTMLTextAreaElement, next: string): void {
  const { value } = area;
  let start = 0;
  while (start < value.length && value[start] === next[start]) start += 1;
  let end = 0;
  const most = Math.min(value.length, next.length) - start;
  while (end < most && value.at(-1 - end) === next.at(-1 - end)) end += 1;
  const typed = next.slice(start, next.length - end);
  area.focus();
  area.setSelectionRange(start, value.length - end);
  // jsdom lacks this function. It is the only way to change a text area and keep its undo history.
  area.ownerDocument.execCommand?.(typed === "" ? "delete" : "insertText", false, typed);
}

/** Undoes or redoes the last change of the text area. */
function undoOrRedo(area: HTMLTextAreaElement, which: "undo" | "redo"): void {
  area.focus();
  area.ownerDocument.execCommand?.(which);
}

/**
 * Formats a text as canonical Markdown. A text that can't be parsed stays as typed, and the server reports the problem.
 */
function formatIfParsable(text: string): string {
  try {
    return formatMarkdown(text);
  } catch {
    return text;
  }
}
