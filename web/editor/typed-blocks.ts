/**
 * Creates blocks from Markdown that is typed at the start of a paragraph. Only text that is Markdown creates a block.
 */
import { schemaCtx } from "@milkdown/kit/core";
import type { Ctx } from "@milkdown/kit/ctx";
import { InputRule, textblockTypeInputRule, wrappingInputRule } from "@milkdown/kit/prose/inputrules";
import type { Node, NodeType } from "@milkdown/kit/prose/model";
import { Plugin, TextSelection, type EditorState, type Transaction } from "@milkdown/kit/prose/state";
import { $inputRule } from "@milkdown/kit/utils";

type InputRuleHandler = (state: EditorState, match: RegExpMatchArray, start: number, end: number) => Transaction | null;

/** Creates an input rule that applies only in paragraphs: `1. ` or `- ` at the start of a heading is text. */
const createParagraphRule = (make: (type: (name: string) => NodeType) => InputRule) =>
  $inputRule((ctx: Ctx) => {
    const { nodes } = ctx.get(schemaCtx);
    const rule = make((name) => {
      const type = nodes[name];
      if (!type) throw new Error(`no node ${name}`);
      return type;
    });
    // The library's types don't show these two properties.
    const { match, handler } = rule as unknown as { match: RegExp; handler: InputRuleHandler };
    return new InputRule(match, (state, found, start, end) =>
      state.doc.resolve(start).parent.type.name === "paragraph" ? handler(state, found, start, end) : null,
    );
  });

/** Turns a list item into a task. The check box must be typed before the first words of the item. */
const turnItemIntoTask: InputRuleHandler = (state, [written], start, end) => {
  const $start = state.doc.resolve(start);
  const item = $start.node(-1);
  if (item?.type.name !== "list_item" || $start.index(-1) !== 0 || item.attrs["checked"] !== null) return null;
  const checked = /x/i.test(written ?? "");
  return state.tr.delete(start, end).setNodeMarkup($start.before(-1), undefined, { ...item.attrs, checked });
};

export const typedBlockRules = [
  // A single `#` becomes a second-level heading too, because the first level is the SOP's title.
  createParagraphRule((type) =>
    textblockTypeInputRule(/^ {0,3}(#{1,6}) $/, type("heading"), ([, marks]) => ({
      level: Math.max(2, marks?.length ?? 2),
    })),
  ),
  createParagraphRule((type) => wrappingInputRule(/^ {0,3}> $/, type("blockquote"))),
  createParagraphRule((type) => wrappingInputRule(/^ {0,3}[-+*] $/, type("bullet_list"))),
  // A number of four digits at the start of a paragraph is a year, so it begins no list.
  createParagraphRule((type) =>
    wrappingInputRule(
      /^ {0,3}(\d{1,3})\. $/,
      type("ordered_list"),
      ([, number]) => ({ order: Number(number) }),
      ([, number], { childCount, attrs }) => childCount + Number(attrs["order"]) === Number(number),
    ),
  ),
  createParagraphRule(() => new InputRule(/^\[[ xX]\] $/, turnItemIntoTask)),
];

/** Creates a code block or a line on Enter after "```", with or without a language, or after `---`. */
export const fenceOrRulePlugin = (): Plugin =>
  new Plugin({
    props: {
      handleKeyDown({ state, dispatch, composing }, { key, shiftKey, ctrlKey, metaKey, altKey }) {
        if (key !== "Enter" || shiftKey || ctrlKey || metaKey || altKey || composing) return false;
        const tr = replaceLineByBlock(state);
        if (tr) dispatch(tr.scrollIntoView());
        return tr !== null;
      },
    },
  });

/** Returns a transaction that replaces a typed fence or rule by its block; null if the line is neither. */
function replaceLineByBlock({ selection, tr, schema }: EditorState): Transaction | null {
  const { $from, empty } = selection;
  const { parent } = $from;
  if (!empty || parent.type.name !== "paragraph" || $from.parentOffset < parent.content.size) return null;
  if (parent.childCount !== 1 || parent.firstChild?.marks.length !== 0) return null;
  const line = parent.textContent;
  const language = /^ {0,3}`{3,}([^`\s]*)$/.exec(line)?.[1];
  const isRule = /^ {0,3}(?:-{3,}|_{3,}|\*{3,})$/.test(line);
  if (language === undefined && !isRule) return null;
  const blocks: (Node | undefined)[] =
    language === undefined
      ? [schema.nodes["hr"]?.create(), schema.nodes["paragraph"]?.create()]
      : [schema.nodes["code_block"]?.create({ language })];
  const index = $from.index(-1);
  const made = blocks.filter((block) => block !== undefined);
  if (made.some(({ type }) => !$from.node(-1).canReplaceWith(index, index + 1, type))) return null;
  tr.replaceWith($from.before(), $from.after(), made);
  const caret = $from.before() + made.slice(0, -1).reduce((size, { nodeSize }) => size + nodeSize, 1);
  return tr.setSelection(TextSelection.create(tr.doc, caret));
}
