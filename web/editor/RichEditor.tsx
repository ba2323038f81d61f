import "@milkdown/kit/prose/view/style/prosemirror.css";
import "@milkdown/kit/prose/gapcursor/style/gapcursor.css";
import "./editor.css";
import { Milkdown, MilkdownProvider, useEditor } from "@milkdown/react";
import type { Command } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import {
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffectEvent,
} from "react";
import type { PictureAlt } from "#core/markdown/picture-alt.ts";
import type { BlockMenuState } from "./block-menu.ts";
import { BlockMenu } from "./BlockMenu.tsx";
import type { Asked } from "./blocks.ts";
import { linkRange, removeLink, setLink } from "./commands.ts";
import { createEditor } from "./create-editor.ts";
import { givesBack, writeDocument } from "./document.ts";
import { EditorToolbar } from "./EditorToolbar.tsx";
import { FindingBox } from "./FindingBox.tsx";
import {
  askedAgain,
  toFinding,
  unmark,
  type AskedFindings,
  type Checked,
  type Finding,
  markFindings,
} from "./findings.ts";
import type { Position } from "./finding-places.ts";
import { insertFiles, fileTypes, type Placed, type UploadAsset } from "./images.ts";
import { LinkDialog } from "./LinkDialog.tsx";
import { PictureBox } from "./PictureBox.tsx";
import { PictureDialog } from "./PictureDialog.tsx";
import { describePicture, selectedPicture } from "./pictures.ts";
import { toText } from "./places.ts";
import { settle, type Settled } from "./settle.ts";
import { nothingActive } from "./toolbar-state.ts";
import type { EditorHandle } from "./editor-handle.ts";

interface RichEditorProps {
  /** Read once; another text is another editor (`key`). */
  markdown: string;
  label: string;
  describedBy: string | undefined;
  invalid: boolean;
  onEdit(): void;
  onPause(): void;
  onFailed(message: string): void;
  onFixed(finding: Finding): void;
  /** Opening and saving would not give this very text back. */
  onUnfaithful(): void;
  upload: UploadAsset;
  /** Marked in the text it was found in, and in no other. */
  checked: Checked | null;
  /** Stands at the end of the toolbar. */
  tools: ReactNode;
  ref: Ref<EditorHandle>;
}

export function RichEditor(props: RichEditorProps) {
  return (
    <MilkdownProvider>
      <Editing {...props} />
    </MilkdownProvider>
  );
}

interface LinkEdit {
  href: string;
  text: string;
}

function Editing({ markdown, label, describedBy, invalid, upload, checked, tools, ref, ...on }: RichEditorProps) {
  const view = useRef<EditorView>(null);
  const toolbar = useRef<HTMLDivElement>(null);
  const latest = useRef<object>(null);
  const events = useRef({ ...on, upload });
  const loaded = useRef(markdown);
  const touched = useRef(false);
  const [state, setState] = useState(nothingActive);
  const [shown, setShown] = useState<EditorView | null>(null);
  const [blocks, setBlocks] = useState<BlockMenuState | null>(null);
  const [linkEdit, setLinkEdit] = useState<LinkEdit | null>(null);
  const [asked, setAsked] = useState<AskedFindings | null>(null);
  const [picture, setPicture] = useState<PictureAlt | null>(null);
  const [placed, setPlaced] = useState<Placed | null>(null);
  const files = useRef<HTMLInputElement>(null);

  useEffect(() => {
    events.current = { ...on, upload };
  });

  const openLink = (): void => {
    const at = view.current?.state;
    if (!at) return;
    const range = linkRange(at) ?? { ...at.selection, from: at.selection.from, to: at.selection.to, href: "" };
    setLinkEdit({ href: range.href, text: at.doc.textBetween(range.from, range.to, " ") });
  };

  const ask = (what: Asked): void => {
    const selected = view.current && selectedPicture(view.current.state);
    if (what === "link") openLink();
    else if (selected) setPicture(selected);
    else files.current?.click();
  };

  useEditor((root) => {
    // React may build, drop and build again (StrictMode): only the last one speaks
    const own = {};
    latest.current = own;
    const isLatest = () => latest.current === own;
    return createEditor(root, loaded.current, attributesOf(label, describedBy, invalid), {
      onReady(created) {
        if (!isLatest()) return;
        view.current = created;
        setShown(created);
        if (!givesBack(created.state.doc, loaded.current)) events.current.onUnfaithful();
      },
      onEdit() {
        touched.current = true;
        events.current.onEdit();
      },
      onPause: () => events.current.onPause(),
      onToolbar: (next) => isLatest() && setState(next),
      onFinding: (found) => isLatest() && setAsked(found),
      onBlockMenu: (menu) => isLatest() && setBlocks(menu),
      onAsked: ask,
      onFailed: (message) => events.current.onFailed(message),
      onPlaced: setPlaced,
      upload: (file) => events.current.upload(file),
    });
  }, []);

  useEffect(() => {
    shown?.setProps({ attributes: attributesOf(label, describedBy, invalid) });
  }, [shown, label, describedBy, invalid]);

  const focusText = (): void => view.current?.focus();
  // never written anew without an edit: what was loaded is what is saved
  const read = (): string => (view.current && touched.current ? writeDocument(view.current.state.doc) : loaded.current);
  const replace = (next: string): void => {
    const change = view.current && toText(view.current.state, next);
    if (change) view.current?.dispatch(change);
  };
  useMarkedFindings(shown, checked, read, (of) => {
    const again = asked && askedAgain(of, asked);
    setAsked(again);
    // nobody is told any more what he was being told
    if (asked?.by === "key" && !again) focusText();
  });

  const show = (at: Position, found: string): void => {
    import("./show-place.ts").then(
      ({ showPlace }) => view.current && !view.current.isDestroyed && showPlace(view.current, at, found),
      focusText,
    );
  };
  const fix = (finding: Finding, found: string): Settled => {
    const { current: editor } = view;
    if (!editor) return "refused";
    const replaceFound = (next: string): void => {
      unmark(editor, finding);
      replace(next);
      on.onPause();
    };
    return settle({ read, replace: replaceFound, show, onFixed: on.onFixed }, finding, found);
  };
  useImperativeHandle(ref, () => ({ read, replace, show, fix, focus: focusText }));

  const run = (command: Command): void => {
    const editor = view.current;
    if (!editor) return;
    command(editor.state, (tr) => editor.dispatch(tr.scrollIntoView()), editor);
    editor.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.altKey || event.key !== "F10") return;
    event.preventDefault();
    toolbar.current?.querySelector<HTMLElement>("button:not(:disabled)")?.focus();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- catches Alt+F10 from the text inside
    <div onKeyDown={onKeyDown} className="relative">
      <EditorToolbar ref={toolbar} state={state} disabled={!shown} run={run} focusText={focusText} onAsked={ask}>
        {tools}
      </EditorToolbar>
      <Milkdown />
      <input
        ref={files}
        type="file"
        hidden
        multiple
        accept={fileTypes.join(",")}
        onChange={({ target }) => {
          const told = { upload, onFailed: on.onFailed, onPlaced: setPlaced };
          if (view.current) insertFiles(view.current, target.files, null, told);
          target.value = "";
        }}
      />
      {blocks && blocks.found.length > 0 && shown && (
        <BlockMenu menu={blocks} view={shown} onAsked={ask} onClose={() => setBlocks(null)} />
      )}
      {asked && shown && (
        <FindingBox
          asked={asked}
          view={shown}
          onClose={() => setAsked(null)}
          onStep={(step) => setAsked(toFinding(shown, step))}
          onFix={(finding) => {
            const made = fix(finding, asked.markdown);
            if (made === "done") focusText();
            return made !== "refused";
          }}
        />
      )}
      {linkEdit && (
        <LinkDialog
          {...linkEdit}
          onClose={() => setLinkEdit(null)}
          onClosed={focusText}
          onApply={(href, text) => {
            setLinkEdit(null);
            run(setLink(href, text));
          }}
          onRemove={() => {
            setLinkEdit(null);
            run(removeLink);
          }}
        />
      )}
      {placed && shown && <PictureBox placed={placed} view={shown} onClose={() => setPlaced(null)} />}
      {picture && (
        <PictureDialog
          {...picture}
          onClose={() => setPicture(null)}
          onClosed={focusText}
          onApply={(described) => {
            setPicture(null);
            run(describePicture(described));
          }}
        />
      )}
    </div>
  );
}

function attributesOf(label: string, describedBy: string | undefined, invalid: boolean): Record<string, string> {
  return {
    class: "reading",
    role: "textbox",
    "aria-multiline": "true",
    "aria-label": label,
    "aria-invalid": String(invalid),
    ...(describedBy && { "aria-describedby": describedBy }),
  };
}

const nothing: Checked = { markdown: "", findings: [] };

/**
 * Marks what was found, if the text is still the one it was found in; else the marks that are there move with it.
 * @param onMarked told when other findings are marked than before
 */
function useMarkedFindings(
  view: EditorView | null,
  checked: Checked | null,
  read: () => string,
  onMarked: (view: EditorView) => void,
): void {
  const mark = useEffectEvent(async (isWanted: () => boolean) => {
    if (!view || view.isDestroyed) return;
    if (!checked || checked.findings.length === 0) {
      markFindings(view, nothing, []);
      return onMarked(view);
    }
    // most texts are opened without a finding to mark
    const { placeFindings } = await import("./finding-places.ts");
    if (!isWanted() || view.isDestroyed || read() !== checked.markdown) return;
    markFindings(view, checked, placeFindings(view.state.doc, checked.markdown, checked.findings));
    onMarked(view);
  });
  useEffect(() => {
    let isWanted = true;
    // without the code that places them they stand in the list beside the text
    mark(() => isWanted).catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [view, checked]);
}
