/** One Markdown text, edited as rich text or as source. Loaded lazily: it brings the whole editor. */
import { Code2, Type } from "lucide-react";
import { useImperativeHandle, useRef, useState, type Ref } from "react";
import { Alert } from "../ui/Alert.tsx";
import { Tool, Toolbar } from "../ui/Toolbar.tsx";
import type { EditorHandle } from "./editor-handle.ts";
import type { Checked, Finding } from "./findings.ts";
import type { UploadAsset } from "./images.ts";
import { RichEditor } from "./RichEditor.tsx";
import { SourceEditor } from "./SourceEditor.tsx";
import { texts } from "./texts.ts";
import { keepRoom } from "./toolbar-room.ts";

export interface MarkdownEditorProps {
  /** Read once; another text is another editor (`key`). */
  markdown: string;
  label: string;
  describedBy?: string | undefined;
  invalid?: boolean;
  /** At every change, at once. */
  onEdit(): void;
  /** The text, whenever it changed and then rested for half a second. */
  onChange(markdown: string): void;
  onFailed(message: string): void;
  /** A finding was fixed, from here or by `fix`; the text was passed on. */
  onFixed(finding: Finding): void;
  upload: UploadAsset;
  /** What the checks found, and in which text. */
  checked?: Checked | null;
  ref: Ref<EditorHandle>;
}

/** Characters; beyond it rich text gets slow. */
const richAtMost = 200 * 1024;

type Reason = "large" | "unfaithful" | null;

export function MarkdownEditor(props: MarkdownEditorProps) {
  const { markdown, label, describedBy, invalid = false, onEdit, onChange, ref } = props;
  const large = markdown.length > richAtMost;
  const [text, setText] = useState(markdown);
  const [mode, setMode] = useState<"rich" | "source">(large ? "source" : "rich");
  const [reason, setReason] = useState<Reason>(large ? "large" : null);
  const inner = useRef<EditorHandle>(null);
  const [toggled, setToggled] = useState(false);

  const read = (): string => inner.current?.read() ?? text;
  useImperativeHandle(ref, () => ({
    read,
    focus: () => inner.current?.focus(),
    show: (at, found) => inner.current?.show(at, found),
    fix: (finding, found) => inner.current?.fix(finding, found) ?? "refused",
    replace: (next) => inner.current?.replace(next),
  }));

  const toggle = (): void => {
    setText(read());
    setReason(null);
    setToggled(true);
    setMode(mode === "rich" ? "source" : "rich");
  };
  const toggleTool = (
    <Tool
      label={mode === "rich" ? texts.source : texts.rich}
      className="ml-auto w-auto! grid-flow-col gap-1.5 px-2 text-xs font-medium"
      onClick={toggle}
    >
      {mode === "rich" ? <Code2 aria-hidden /> : <Type aria-hidden />}
      <span aria-hidden className="max-lg:hidden">
        {mode === "rich" ? texts.source : texts.rich}
      </span>
    </Tool>
  );
  const shared = { label, describedBy, invalid, onEdit, onFixed: props.onFixed };

  return (
    <div className="editor" data-invalid={invalid || undefined}>
      {mode === "rich" ? (
        <RichEditor
          ref={inner}
          {...shared}
          markdown={text}
          onPause={() => onChange(read())}
          onFailed={props.onFailed}
          onUnfaithful={() => {
            setReason("unfaithful");
            setMode("source");
          }}
          upload={props.upload}
          checked={props.checked ?? null}
          tools={toggleTool}
        />
      ) : (
        <>
          <Toolbar ref={keepRoom} label={texts.toolbar} className="sticky top-top z-10 rounded-t-md border-b">
            {toggleTool}
          </Toolbar>
          {reason && (
            <div className="p-3">
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
