/** Edits one Markdown text as rich text or as source. It loads lazily, because it imports the whole editor. */
import { Minimize2 } from "lucide-react";
import { useEffectEvent, useEffect, useImperativeHandle, useRef, useState, type Ref } from "react";
import { foldWord } from "#core/text/fold.ts";
import { Alert } from "../ui/Alert.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Button } from "../ui/Button.tsx";
import type { EditorHandle, EditorMode } from "./editor-handle.ts";
import type { CheckedMarkdown, CheckFinding } from "./findings.ts";
import type { FindMentions, MentionChoice } from "./mention-menu.ts";
import type { UploadAsset } from "./images.ts";
import { RichEditor } from "./RichEditor.tsx";
import { SourceEditor } from "./SourceEditor.tsx";
import { texts } from "./texts.ts";
import { browserSend, createAppClient } from "../api.ts";
import { useCommand } from "../shortcuts/use-command.ts";

const sopsAtMost = 6;
const peopleAtMost = 4;

/**
 * Searches SOPs and people that the user can see. Without a query it finds the SOPs changed last and the first people.
 */
const findMentions: FindMentions = async (query, signal) => {
  const client = createAppClient((request) => browserSend({ ...request, signal }));
  const [sops, people] = await Promise.all([
    query === ""
      ? client.sops.list({ query: { limit: sopsAtMost } }).then(({ data }) => data)
      : client.search.find({ query: { q: query, limit: sopsAtMost } }).then(({ data }) => data.map(({ sop }) => sop)),
    // Users who can't read the list of people still find SOPs.
    client.users.list({}).catch(() => []),
  ]);
  const words = foldWord(query);
  const named = people.filter(({ name }) => ` ${foldWord(name)}`.includes(` ${words}`));
  return [
    ...sops.map(({ number, title }): MentionChoice => ({ kind: "sop", number, title })),
    ...named.slice(0, peopleAtMost).map(({ name }): MentionChoice => ({ kind: "person", name })),
  ];
};

export interface MarkdownEditorProps {
  /** The initial text. For another text the caller must change `key`. */
  markdown: string;
  label: string;
  dir?: "rtl" | "ltr" | undefined;
  describedBy?: string | undefined;
  invalid?: boolean;
  /** Called at once on every change. */
  onEdit(): void;
  /** Called with the text half a second after the last change. */
  onChange(markdown: string): void;
  /** Called with a message for the user when a file or a paste couldn't be added. */
  onFailed(message: string): void;
  /** Called after a paste with what it lost or changed for readers, one line per kind. */
  onPasteChanged(lines: readonly string[]): void;
  /** Called after a finding was fixed and the text was passed to `onChange`. */
  onFixed(finding: CheckFinding): void;
  upload: UploadAsset;
  /** Finds suggestions for `[[` and `@`; by default on the server. */
  findMentions?: FindMentions;
  /** The findings of the last check and the text that was checked. */
  checked?: CheckedMarkdown | null;
  /**
   * Called with the mode at first and after each switch. If given, the editor has no button to switch modes, because
   * the page has one that calls `switchMode`.
   */
  onMode?(mode: EditorMode): void;
  ref: Ref<EditorHandle>;
}

/** The maximum number of characters of a text that opens as rich text. Longer texts would be slow. */
const maxRichCharacters = 200 * 1024;

/**
 * Why the text opened as Markdown source: it is too long, or rich text would change it. Null if neither is so, or the
 * user switched modes.
 */
type MarkdownOnlyReason = "large" | "unfaithful" | null;

export function MarkdownEditor(props: MarkdownEditorProps) {
  const { markdown, label, dir, describedBy, invalid = false, onEdit, onChange, ref } = props;
  const large = markdown.length > maxRichCharacters;
  const [text, setText] = useState(markdown);
  const [mode, setMode] = useState<EditorMode>(large ? "source" : "rich");
  const [reason, setReason] = useState<MarkdownOnlyReason>(large ? "large" : null);
  const inner = useRef<EditorHandle>(null);
  const focusMode = useFocusMode();
  const [toggled, setToggled] = useState(false);

  const readText = (): string => inner.current?.read() ?? text;
  useImperativeHandle(ref, () => ({
    read: readText,
    focus: () => inner.current?.focus(),
    show: (at, found) => inner.current?.show(at, found),
    fix: (finding, found) => inner.current?.fix(finding, found) ?? "refused",
    replace: (next) => inner.current?.replace(next),
    beginSteps: () => inner.current?.beginSteps(),
    undo: () => inner.current?.undo(),
    redo: () => inner.current?.redo(),
    showFindings: () => inner.current?.showFindings(),
    switchMode,
    switchFocusMode: focusMode.toggle,
  }));
  const onMode = useEffectEvent((next: EditorMode) => props.onMode?.(next));
  useEffect(() => onMode(mode), [mode]);

  function switchMode(): void {
    setText(inner.current?.read(true) ?? text);
    setReason(null);
    setToggled(true);
    setMode(mode === "rich" ? "source" : "rich");
  }
  const shared = { label, dir, describedBy, invalid, onEdit, onFixed: props.onFixed };

  return (
    <div className="editor">
      {!props.onMode && (
        <Button size="sm" variant="ghost" className="editor-mode" onClick={switchMode}>
          {mode === "rich" ? texts.source : texts.rich}
        </Button>
      )}
      {focusMode.isOn && (
        <div className="fixed top-2 right-2 z-30">
          <IconButton label={texts.leaveFocus} onClick={focusMode.toggle}>
            <Minimize2 aria-hidden />
          </IconButton>
        </div>
      )}
      {mode === "rich" ? (
        <RichEditor
          ref={inner}
          {...shared}
          markdown={text}
          onPause={() => onChange(readText())}
          onFailed={props.onFailed}
          onPasteChanged={props.onPasteChanged}
          onUnfaithful={() => {
            setReason("unfaithful");
            setMode("source");
          }}
          upload={props.upload}
          findMentions={props.findMentions ?? findMentions}
          checked={props.checked ?? null}
        />
      ) : (
        <>
          {reason && (
            <div className="pb-3">
              <Alert tone="warning" title={texts.sourceNoticeTitle}>
                {reason === "large" ? texts.largeNotice : texts.sourceNotice}
              </Alert>
            </div>
          )}
          <SourceEditor ref={inner} {...shared} markdown={text} focus={toggled} onChange={onChange} />
        </>
      )}
    </div>
  );
}

/** Focus mode shows only the text. It hides all elements that the page marks with `data-leaves-in-focus`. */
function useFocusMode(): { isOn: boolean; toggle(): void } {
  const [isOn, setOn] = useState(false);
  const toggle = (): void => setOn(!isOn);
  useCommand("focusMode", toggle);
  useEffect(() => {
    document.documentElement.toggleAttribute("data-focus-mode", isOn);
    return () => document.documentElement.removeAttribute("data-focus-mode");
  }, [isOn]);
  return { isOn, toggle };
}
