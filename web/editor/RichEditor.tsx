import "@milkdown/kit/prose/view/style/prosemirror.css";
import "@milkdown/kit/prose/gapcursor/style/gapcursor.css";
import { FileText, User } from "lucide-react";
import "./editor.css";
import { Milkdown, MilkdownProvider, useEditor } from "@milkdown/react";
import { createBlockHandle, type BlockHandle } from "./block-handle.ts";
import type { Ctx } from "@milkdown/kit/ctx";
import type { Node } from "@milkdown/kit/prose/model";
import type { Command } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref, useEffectEvent } from "react";
import { redo, undo } from "@milkdown/kit/prose/history";
import { beginSteps } from "./blanks.ts";
import { openBlockMenu, type BlockMenuState } from "./block-menu.ts";
import { BlockHandleTools } from "./BlockHandleTools.tsx";
import { BlockMenu } from "./BlockMenu.tsx";
import { BubbleBar } from "./BubbleBar.tsx";
import type { BlockDialog } from "./blocks.ts";
import { linkRangeAtSelection, removeLink, setLink } from "./commands.ts";
import { createEditor } from "./create-editor.ts";
import { isLossless, writeDocument } from "./document.ts";
import { FindingBox } from "./FindingBox.tsx";
import {
  openFindingsAfterCheck,
  moveToNextFinding,
  removeFindingMark,
  type FindingsToShow,
  type CheckedMarkdown,
  type CheckFinding,
  markFindings,
} from "./findings.ts";
import type { MarkdownPosition } from "./finding-places.ts";
import { InsertBar } from "./InsertBar.tsx";
import { insertFiles, fileTypes, type AddedImage, type UploadAsset } from "./images.ts";
import { LinkDialog } from "./LinkDialog.tsx";
import {
  type FindMentions,
  type MentionMenuState,
  activateMention,
  chooseMention,
  mentionListId,
} from "./mention-menu.ts";
import { Outline } from "./Outline.tsx";
import { AddedImageBox } from "./AddedImageBox.tsx";
import { ImageResize } from "./ImageResize.tsx";
import { ImageDialog } from "./ImageDialog.tsx";
import { setImageProperties, removeImage, selectedImageProperties, type ImageProperties } from "./image-properties.ts";
import { changeToText } from "./places.ts";
import { applyFix, type FixResult } from "./apply-fix.ts";
import { nothingActive } from "./toolbar-state.ts";
import { TableHandles } from "./TableHandles.tsx";
import { useEditorBars } from "./use-bars.ts";
import type { EditorHandle } from "./editor-handle.ts";
import { optionId } from "./typed-menu.ts";
import { texts } from "./texts.ts";
import { TypedList } from "./TypedList.tsx";

interface RichEditorProps {
  /** The initial text. For another text the caller must change `key`. */
  markdown: string;
  label: string;
  dir: "rtl" | "ltr" | undefined;
  describedBy: string | undefined;
  invalid: boolean;
  onEdit(): void;
  /** Called half a second after the last change, and after a fix. */
  onPause(): void;
  onFailed(message: string): void;
  onPasteChanged(lines: readonly string[]): void;
  onFixed(finding: CheckFinding): void;
  /** Called if opening and saving this text would change it. */
  onUnfaithful(): void;
  upload: UploadAsset;
  findMentions: FindMentions;
  /** The last check. Its findings are marked only if the text is still the checked one. */
  checked: CheckedMarkdown | null;
  ref: Ref<EditorHandle>;
}

export function RichEditor(props: RichEditorProps) {
  return (
    <MilkdownProvider>
      <MilkdownRichEditor {...props} />
    </MilkdownProvider>
  );
}

interface LinkEdit {
  href: string;
  text: string;
}

interface LoadedRichEditor {
  handle: BlockHandle;
  view: EditorView;
  /** The document as it was loaded. */
  loaded: Node;
}

function MilkdownRichEditor({
  markdown,
  label,
  dir,
  describedBy,
  invalid,
  upload,
  findMentions,
  checked,
  ref,
  ...on
}: RichEditorProps) {
  const latest = useRef<object>(null);
  const [state, setState] = useState(nothingActive);
  const [shown, setShown] = useState<LoadedRichEditor | null>(null);
  const view = shown?.view ?? null;
  const [blocks, setBlocks] = useState<BlockMenuState | null>(null);
  const [mentions, setMentions] = useState<MentionMenuState | null>(null);
  const [linkEdit, setLinkEdit] = useState<LinkEdit | null>(null);
  const [openFindings, setOpenFindings] = useState<FindingsToShow | null>(null);
  const [image, setImage] = useState<(ImageProperties & { first: "alt" | "caption" }) | null>(null);
  const [placed, setPlaced] = useState<AddedImage | null>(null);
  const files = useRef<HTMLInputElement>(null);
  // The document when the user last paused typing.
  const [pausedDoc, setPausedDoc] = useState<Node | null>(null);
  const [areFindingsHidden, setFindingsHidden] = useState(true);
  const bars = useEditorBars(state);

  const openLink = (): void => {
    const at = view?.state;
    if (!at) return;
    const range = linkRangeAtSelection(at) ?? {
      ...at.selection,
      from: at.selection.from,
      to: at.selection.to,
      href: "",
    };
    setLinkEdit({ href: range.href, text: at.doc.textBetween(range.from, range.to, " ") });
  };

  const openDialog = (what: BlockDialog): void => {
    const selected = view && selectedImageProperties(view.state);
    if (what === "link") openLink();
    else if (selected) setImage({ ...selected, first: what === "caption" ? "caption" : "alt" });
    else files.current?.click();
  };

  const onReady = useEffectEvent((ctx: Ctx, created: EditorView) => {
    setShown({ handle: createBlockHandle(ctx), view: created, loaded: created.state.doc });
    if (!isLossless(created.state.doc, markdown)) on.onUnfaithful();
  });
  const onEdit = useEffectEvent(on.onEdit);
  const onPause = useEffectEvent(() => {
    setPausedDoc(view?.state.doc ?? null);
    on.onPause();
  });
  const onFailed = useEffectEvent(on.onFailed);
  const onPasteChanged = useEffectEvent(on.onPasteChanged);
  const onOpenDialog = useEffectEvent(openDialog);
  const onUpload = useEffectEvent(upload);
  const onFind = useEffectEvent(findMentions);
  useEditor((root) => {
    // In StrictMode React creates the editor twice. Only the last one may report events.
    const own = {};
    latest.current = own;
    const isLatest = () => latest.current === own;
    const editor = createEditor(root, markdown, editorAttributesOf({ label, dir, describedBy, invalid }), {
      onReady: (created) => isLatest() && onReady(editor.ctx, created),
      onEdit: () => onEdit(),
      onPause: () => onPause(),
      onToolbar: (next) => isLatest() && setState(next),
      onFinding: (found) => isLatest() && setOpenFindings(found),
      onBlockMenu: (menu) => isLatest() && setBlocks(menu),
      onMentionMenu: (menu) => isLatest() && setMentions(menu),
      findMentions: (query, signal) => onFind(query, signal),
      onOpenDialog: (what) => onOpenDialog(what),
      onFailed: (message) => onFailed(message),
      onPasteChanged: (lines) => onPasteChanged(lines),
      onImageAdded: setPlaced,
      upload: (file) => onUpload(file),
    });
    return editor;
  }, []);

  useEffect(() => {
    view?.setProps({ attributes: editorAttributesOf({ label, dir, describedBy, invalid }) });
  }, [view, label, dir, describedBy, invalid]);

  const focusText = (): void => view?.focus();
  // Without an edit the loaded text is returned as it is, so that saving never changes it.
  const readText = (withEmptyItems?: boolean): string =>
    !shown || shown.view.state.doc.eq(shown.loaded) ? markdown : writeDocument(shown.view.state.doc, withEmptyItems);
  const replaceText = (next: string): void => {
    const change = view && changeToText(view.state, next);
    if (change) view.dispatch(change);
  };
  useMarkedFindings(view, areFindingsHidden ? null : checked, readText, (of) => {
    const again = openFindings && openFindingsAfterCheck(of, openFindings);
    setOpenFindings(again);
    // The box of findings has closed, so the focus returns to the text.
    if (openFindings?.by === "key" && !again) focusText();
  });

  const showFound = (at: MarkdownPosition, found: string): void => {
    setFindingsHidden(false);
    import("./show-place.ts").then(
      ({ showFindingAt }) => view && !view.isDestroyed && showFindingAt(view, at, found),
      focusText,
    );
  };
  const fixFinding = (finding: CheckFinding, found: string): FixResult => {
    if (!view) return "refused";
    setFindingsHidden(false);
    const replaceFound = (next: string): void => {
      removeFindingMark(view, finding);
      replaceText(next);
      on.onPause();
    };
    return applyFix({ read: readText, replace: replaceFound, show: showFound, onFixed: on.onFixed }, finding, found);
  };
  const runCommand = (command: Command): void => {
    if (!view) return;
    command(view.state, (tr) => view.dispatch(tr.scrollIntoView()), view);
    view.focus();
  };
  useImperativeHandle(ref, () => ({
    read: readText,
    replace: replaceText,
    beginSteps: () => runCommand(beginSteps),
    show: showFound,
    fix: fixFinding,
    focus: focusText,
    undo: () => runCommand(undo),
    redo: () => runCommand(redo),
    showFindings: () => setFindingsHidden(false),
    // `MarkdownEditor` around this component switches modes.
    switchMode: () => undefined,
    switchFocusMode: () => undefined,
  }));

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // The first F8 shows the marks of findings, further ones move to the next finding.
    if (event.key === "F8" && areFindingsHidden) setFindingsHidden(false);
    bars.onKeyDown(event, focusText);
  };
  const offered = { state, runCommand, onOpenDialog: openDialog };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- catches keys and focus of the text inside
    <div onKeyDown={onKeyDown} onFocus={bars.onFocus} onBlur={bars.onBlur} className="relative">
      {shown && <Outline view={shown.view} doc={pausedDoc ?? shown.loaded} />}
      <Milkdown />
      {view && (
        <input
          ref={files}
          type="file"
          hidden
          multiple
          accept={fileTypes.join(",")}
          onChange={({ target }) => {
            const callbacks = { upload, onFailed: on.onFailed, onImageAdded: setPlaced };
            // The focus was on the button that opened the file dialog.
            focusText();
            insertFiles(view, target.files, null, callbacks);
            target.value = "";
          }}
        />
      )}
      {shown && <BlockHandleTools {...{ runCommand, focusText }} handle={shown.handle} view={shown.view} />}
      {bars.isIn && view && state.cell >= 0 && <TableHandles {...{ view, runCommand, focusText }} cell={state.cell} />}
      {view && state.picture && <ImageResize view={view} at={state.from} runCommand={runCommand} />}
      {/* While the box of a new image is open, it replaces the bar. */}
      {bars.isShown && view && !placed && (
        <BubbleBar
          key={String(bars.isOpenedByKey)}
          {...offered}
          view={view}
          isOpenedByKey={bars.isOpenedByKey}
          focusText={focusText}
        />
      )}
      {bars.isIn && view && <InsertBar {...offered} focusText={focusText} onInsert={() => openBlockMenu(view)} />}
      {blocks && blocks.found.length > 0 && view && <BlockMenu menu={blocks} view={view} onOpenDialog={openDialog} />}
      {mentions && mentions.found.length > 0 && view && <MentionMenu menu={mentions} view={view} />}
      {openFindings && view && (
        <FindingBox
          shown={openFindings}
          view={view}
          onClose={() => setOpenFindings(null)}
          onStep={(step) => setOpenFindings(moveToNextFinding(view, step))}
          onFix={(finding) => {
            const made = fixFinding(finding, openFindings.markdown);
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
            runCommand(setLink(href, text));
          }}
          onRemove={() => {
            setLinkEdit(null);
            runCommand(removeLink);
          }}
        />
      )}
      {placed && view && <AddedImageBox placed={placed} view={view} onClose={() => setPlaced(null)} />}
      {image && (
        <ImageDialog
          {...image}
          onClose={() => setImage(null)}
          onClosed={focusText}
          onApply={(described) => {
            setImage(null);
            runCommand(setImageProperties(described));
          }}
          onRemove={() => {
            setImage(null);
            runCommand(removeImage);
          }}
        />
      )}
    </div>
  );
}

type FieldLabelProps = Pick<RichEditorProps, "label" | "dir" | "describedBy" | "invalid">;

function editorAttributesOf({ label, dir, describedBy, invalid }: FieldLabelProps): Record<string, string> {
  return {
    class: "reading numbered",
    role: "textbox",
    "aria-multiline": "true",
    "aria-label": label,
    "aria-invalid": String(invalid),
    ...(dir && { dir }),
    ...(describedBy && { "aria-describedby": describedBy }),
  };
}

const noFindings: CheckedMarkdown = { markdown: "", findings: [] };

/**
 * Marks the findings if the text is still the checked one. Otherwise the existing marks move with the text.
 * @param onMarked called when the marked findings change
 */
function useMarkedFindings(
  view: EditorView | null,
  checked: CheckedMarkdown | null,
  read: () => string,
  onMarked: (view: EditorView) => void,
): void {
  const markCheckedText = useEffectEvent(async (isWanted: () => boolean) => {
    if (!view || view.isDestroyed) return;
    if (!checked || checked.findings.length === 0) {
      markFindings(view, noFindings, []);
      return onMarked(view);
    }
    // This module loads only when there are findings to mark.
    const { editorRangesOfFindings } = await import("./finding-places.ts");
    if (!isWanted() || view.isDestroyed || read() !== checked.markdown) return;
    markFindings(view, checked, editorRangesOfFindings(view.state.doc, checked.markdown, checked.findings));
    onMarked(view);
  });
  useEffect(() => {
    let isWanted = true;
    // If the module fails to load, the findings are still in the list beside the text.
    markCheckedText(() => isWanted).catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [view, checked]);
}

/** The menu of suggestions for `[[` and `@`. */
function MentionMenu({ menu, view }: { menu: MentionMenuState; view: EditorView }) {
  const { found, active, from } = menu;
  const options = found.map((one, index) => ({
    id: optionId(mentionListId, index),
    icon: one.kind === "sop" ? FileText : User,
    label: one.kind === "sop" ? one.title : one.name,
    extra: one.kind === "sop" && <span className="shrink-0 font-mono text-xs text-muted">{one.number}</span>,
  }));
  return (
    <TypedList
      {...{ view, from, options, active }}
      id={mentionListId}
      label={texts.mentions}
      status={texts.mentionsFound({ count: found.length })}
      onActivate={(index) => activateMention(view, index)}
      onChoose={(index) => chooseMention(view, index)}
    />
  );
}
