/**
 * Creates a Milkdown editor for SOPs, with its own schema, keys and Markdown conversion. Loading a text adds nothing to
 * the undo history.
 */
import {
  Editor,
  ParserReady,
  SerializerReady,
  defaultValueCtx,
  editorStateOptionsCtx,
  editorStateTimerCtx,
  editorViewOptionsCtx,
  parserCtx,
  rootCtx,
  schemaCtx,
  serializerCtx,
} from "@milkdown/kit/core";
import { createTimer, type MilkdownPlugin } from "@milkdown/kit/ctx";
import { block, blockConfig } from "@milkdown/kit/plugin/block";
import { inlineNodesCursorPlugin } from "@milkdown/kit/preset/commonmark";
import { keepTableAlignPlugin, tableEditingPlugin, tablePasteRule } from "@milkdown/kit/preset/gfm";
import { dropCursor } from "@milkdown/kit/prose/dropcursor";
import { gapCursor } from "@milkdown/kit/prose/gapcursor";
import { history } from "@milkdown/kit/prose/history";
import type { Node, Schema } from "@milkdown/kit/prose/model";
import { Plugin } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { $prose, $view } from "@milkdown/kit/utils";
import { hasOwnHandle } from "./block-commands.ts";
import { placeholderPlugin } from "./blanks.ts";
import { blockMenuPlugin, type BlockMenuState } from "./block-menu.ts";
import type { BlockDialog } from "./blocks.ts";
import { readEditorDocument, writeDocument } from "./document.ts";
import { findingsPlugin, type FindingsToShow } from "./findings.ts";
import { imageUploadPlugin, type AddedImage, type UploadAsset } from "./images.ts";
import { firstCaretSelection, atomBlocksPlugin } from "./kept-atoms.ts";
import { shortcutKeysPlugin } from "./keys.ts";
import { clipboardPlugin } from "./clipboard.ts";
import { typedBlockRules, fenceOrRulePlugin } from "./typed-blocks.ts";
import { typedMarksPlugin } from "./typed-marks.ts";
import { cleanPastedHtmlIfLoaded, pastePlugin } from "./paste.ts";
import { mentionMenuPlugin, type FindMentions, type MentionMenuState } from "./mention-menu.ts";
import { listItem, schemaPlugins } from "./schema.ts";
import { createListItemView } from "./task-item-view.ts";
import { scrollMarginPlugin } from "./window-room.ts";
import { readToolbarState, isSameToolbarState, nothingActive, type ToolbarState } from "./toolbar-state.ts";

export interface EditorEvents {
  /** Called when the editor's view exists. */
  onReady(view: EditorView): void;
  /** Called at once on every change. */
  onEdit(): void;
  /** Called 500 ms after the last change. */
  onPause(): void;
  onToolbar(state: ToolbarState): void;
  /** Called when the user opens the findings at a position, or with null when the user closes them. */
  onFinding(found: FindingsToShow | null): void;
  onBlockMenu(menu: BlockMenuState | null): void;
  onMentionMenu(menu: MentionMenuState | null): void;
  findMentions: FindMentions;
  /** Called when a block or a key needs a dialog. */
  onOpenDialog(what: BlockDialog): void;
  /** Called with a message for the user when a file or a paste couldn't be added. */
  onFailed(message: string): void;
  /** Called after a paste of HTML with what it lost or changed for readers, one line per kind. */
  onPasteChanged?(lines: readonly string[]): void;
  /** Called after an image was added while the user waited for it. */
  onImageAdded?(placed: AddedImage): void;
  upload: UploadAsset;
}

const pauseMs = 500;

export function createEditor(
  root: HTMLElement,
  markdown: string,
  attributes: Record<string, string>,
  events: EditorEvents,
): Editor {
  return (
    Editor.make()
      .config((ctx) => {
        ctx.set(rootCtx, root);
        ctx.set(defaultValueCtx, markdown);
        ctx.set(editorStateOptionsCtx, (options) => ({
          ...options,
          ...(options.doc && { selection: firstCaretSelection(options.doc) }),
        }));
        ctx.set(blockConfig.key, { filterNodes: ($pos, node) => hasOwnHandle($pos.parent, node) });
        ctx.set(editorViewOptionsCtx, { attributes, transformPastedHTML: cleanPastedHtmlIfLoaded });
      })
      .use(schemaPlugins)
      .use(markdownConversion)
      .use(typedBlockRules)
      // Images come first, because the clipboard can hold HTML of the same image.
      .use([
        $prose(() => pastePlugin(events)),
        $prose(() => imageUploadPlugin(events)),
        $prose(clipboardPlugin),
        tablePasteRule,
      ])
      .use([
        $prose(selectionRefreshPlugin),
        $prose(scrollMarginPlugin),
        $prose(atomBlocksPlugin),
        $prose(placeholderPlugin),
        // The menus come before the keys, so that Enter chooses an option while a menu is open.
        $prose(() => blockMenuPlugin(events)),
        $prose(() => mentionMenuPlugin(events)),
        $prose(typedMarksPlugin),
        $prose(fenceOrRulePlugin),
        $prose(() => shortcutKeysPlugin(() => events.onOpenDialog("link"))),
        // `docs/spec/screens.md` sets these values.
        $prose(() => history({ depth: 100, newGroupDelay: 500 })),
        $prose(() => findingsPlugin(events.onFinding)),
        $prose(() => stateWatcherPlugin(events)),
        $prose(() => dropCursor({ color: false, class: "editor-drop-cursor" })),
        $prose(() => gapCursor()),
      ])
      .use(block)
      .use([inlineNodesCursorPlugin, keepTableAlignPlugin, tableEditingPlugin])
      .use($view(listItem.node, () => createListItemView))
  );
}

/** Creates only the schema, for tests, because Milkdown can build its editor without a page. */
export async function createSchema(root: HTMLElement): Promise<Schema> {
  const editor = await Editor.make()
    .config((ctx) => ctx.set(rootCtx, root))
    .use(schemaPlugins)
    .use(markdownConversion)
    .create();
  return editor.ctx.get(schemaCtx);
}

const ConversionReady = createTimer("ConversionReady");

/** Replaces Milkdown's remark by the parser and writer of core, so that all Markdown is read in the same way. */
const markdownConversion: MilkdownPlugin = (ctx) => {
  ctx.record(ConversionReady);
  ctx.update(editorStateTimerCtx, (timers) => [...timers, ConversionReady]);
  return async () => {
    await Promise.all([ctx.wait(ParserReady), ctx.wait(SerializerReady)]);
    const schema = ctx.get(schemaCtx);
    ctx.set(parserCtx, (text: string) => readPastedText(schema, text));
    ctx.set(serializerCtx, (doc: Node) => writeDocument(doc));
    ctx.done(ConversionReady);
    return () => {
      ctx.clearTimer(ConversionReady);
    };
  };
};

/** Reads pasted Markdown. A text that can't be parsed (nested a thousand deep) stays plain text. */
function readPastedText(schema: Schema, text: string): Node {
  try {
    return readEditorDocument(schema, text);
  } catch {
    return schema.node("doc", null, [schema.node("paragraph", null, text === "" ? [] : [schema.text(text)])]);
  }
}

/** Reports the toolbar's state, edits and pauses in typing. */
function stateWatcherPlugin(events: EditorEvents): Plugin {
  let shown = nothingActive;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The bar appears when the pointer is released, so that it doesn't cover the text being selected.
  let isPressed = false;
  const showState = (view: EditorView): void => {
    const read = readToolbarState(view.state);
    const next = isPressed ? { ...read, from: 0, to: 0 } : read;
    if (isSameToolbarState(next, shown)) return;
    shown = next;
    events.onToolbar(next);
  };
  return new Plugin({
    props: {
      handleDOMEvents: {
        pointerdown(_, { button }) {
          isPressed = button === 0;
          return false;
        },
      },
    },
    view(view) {
      events.onReady(view);
      const onUp = (): void => {
        if (!isPressed) return;
        isPressed = false;
        // The browser reports the new selection first.
        requestAnimationFrame(() => !view.isDestroyed && showState(view));
      };
      for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, onUp);
      return {
        update(updated, before) {
          showState(updated);
          if (updated.state.doc.eq(before.doc)) return;
          events.onEdit();
          clearTimeout(timer);
          timer = setTimeout(() => events.onPause(), pauseMs);
        },
        destroy() {
          clearTimeout(timer);
          for (const end of ["pointerup", "pointercancel"]) window.removeEventListener(end, onUp);
        },
      };
    },
  });
}

/**
 * Makes the editor read the selection before each key. Chromium reports a moved caret up to a frame late, so Enter
 * right after a click would split the block at the old caret.
 */
const selectionRefreshPlugin = (): Plugin =>
  new Plugin({
    props: {
      handleDOMEvents: {
        keydown(view, event) {
          // The keys of an input method must not be disturbed, and they don't move the caret.
          if (!event.isComposing) view.dom.ownerDocument.dispatchEvent(new Event("selectionchange"));
          return false;
        },
      },
    },
  });
