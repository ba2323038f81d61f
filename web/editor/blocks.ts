/** Tools and block types, shared by the bars, the keys and the menu after `/`. */
import {
  Bold,
  Code,
  Heading2,
  Heading3,
  Heading4,
  ImagePlus,
  Italic,
  Link2,
  List,
  ListChecks,
  ListOrdered,
  Minus,
  Pilcrow,
  Quote,
  Redo2,
  SquareCode,
  Strikethrough,
  Table2,
  Undo2,
  createLucideIcon,
  type LucideIcon,
} from "lucide-react";
import { redo, undo } from "@milkdown/kit/prose/history";
import type { Command } from "@milkdown/kit/prose/state";
import { alertGrades, alertKinds, hazardKinds, isHazard, type AlertKind } from "#core/markdown/alert-grades.ts";
import { commands } from "../shortcuts/registry.ts";
import { turnIntoPlainText } from "./block-commands.ts";
import {
  toggleAlert,
  insertTable,
  toggleList,
  toggleMarkNamed,
  toggleQuote,
  insertHorizontalRule,
  toggleTextBlock,
} from "./commands.ts";
import { texts } from "./texts.ts";
import type { ToolbarState } from "./toolbar-state.ts";

/** A command with its button in a bar. */
export interface EditorTool {
  label: string;
  icon: LucideIcon;
  /** The keys as in the registry of shortcuts: `Mod+Alt+1`. */
  keys?: string;
  command: Command;
  pressed?(state: ToolbarState): boolean;
  /** False if the command doesn't apply; absent if it always does. */
  enabled?(state: ToolbarState): boolean;
}

const isOutsideTable = (state: ToolbarState): boolean => !state.inTable;

const textBlockTool = (is: ToolbarState["block"], command: Command) => ({
  command,
  pressed: (state: ToolbarState) => state.block === is,
  enabled: isOutsideTable,
});

const listTool = (kind: "bullet" | "ordered" | "task") => ({
  command: toggleList(kind),
  keys: commands[kind].keys,
  pressed: (state: ToolbarState) => state.list === kind,
  enabled: isOutsideTable,
});

/** The first level is the SOP's title, so headings in the text begin with the second. */
const headingTool = (level: 2 | 3 | 4) => textBlockTool(`heading-${level}`, toggleTextBlock("heading", { level }));

export const tools = {
  undo: { label: texts.undo, icon: Undo2, keys: "Mod+Z", command: undo, enabled: (state) => state.canUndo },
  redo: { label: texts.redo, icon: Redo2, keys: "Mod+Y", command: redo, enabled: (state) => state.canRedo },
  paragraph: {
    label: texts.paragraph,
    icon: Pilcrow,
    keys: commands.paragraph.keys,
    ...textBlockTool("paragraph", toggleTextBlock("paragraph")),
  },
  heading: { label: texts.heading, icon: Heading2, keys: commands.heading.keys, ...headingTool(2) },
  subheading: { label: texts.subheading, icon: Heading3, keys: commands.subheading.keys, ...headingTool(3) },
  smallHeading: { label: texts.smallHeading, icon: Heading4, keys: commands.smallHeading.keys, ...headingTool(4) },
  bold: {
    label: texts.bold,
    icon: Bold,
    keys: "Mod+B",
    command: toggleMarkNamed("strong"),
    pressed: (state) => state.bold,
  },
  italic: {
    label: texts.italic,
    icon: Italic,
    keys: "Mod+I",
    command: toggleMarkNamed("emphasis"),
    pressed: (state) => state.italic,
  },
  strike: {
    label: texts.strike,
    icon: Strikethrough,
    keys: "Mod+Shift+X",
    command: toggleMarkNamed("strike_through"),
    pressed: (state) => state.strike,
  },
  code: {
    label: texts.code,
    icon: Code,
    keys: "Mod+E",
    command: toggleMarkNamed("inlineCode"),
    pressed: (state) => state.code,
  },
  bullet: { label: texts.bullet, icon: List, ...listTool("bullet") },
  ordered: { label: texts.ordered, icon: ListOrdered, ...listTool("ordered") },
  task: { label: texts.task, icon: ListChecks, ...listTool("task") },
  quote: {
    label: texts.quote,
    icon: Quote,
    keys: "Mod+Shift+B",
    command: toggleQuote,
    pressed: (state) => state.quote,
  },
  codeBlock: {
    label: texts.codeBlock,
    icon: SquareCode,
    keys: "Mod+Alt+C",
    ...textBlockTool("code", toggleTextBlock("code_block")),
  },
  rule: { label: texts.rule, icon: Minus, command: insertHorizontalRule, enabled: isOutsideTable },
  table: { label: texts.insertTable, icon: Table2, command: insertTable, enabled: isOutsideTable },
} as const satisfies Record<string, EditorTool>;

/** Choices that open a dialog, whose answer then changes the text. */
export type BlockDialog = "link" | "picture" | "caption";

/** A choice in the menu after `/`. */
export interface BlockMenuChoice {
  label: string;
  icon: LucideIcon;
  keys?: string;
  /** When to use the block. */
  hint?: string;
  /** The command that inserts or changes the block, or the dialog that asks for it. */
  does: Command | BlockDialog;
  /** True if the current block is of this type already. */
  pressed?(state: ToolbarState): boolean;
  /** Other words that find the block, separated by commas. */
  words: string;
}

const alertChoiceOf = (kind: AlertKind): BlockMenuChoice => {
  const { title: label, meaning: hint, sign } = alertGrades[kind];
  const outline = { d: sign, fill: "currentColor", stroke: "none", fillRule: "evenodd" as const, key: kind };
  const isPressed = (state: ToolbarState) => state.alert === kind;
  const icon = createLucideIcon(kind, [["path", outline]]);
  return {
    label,
    hint,
    icon,
    does: toggleAlert(kind),
    pressed: isPressed,
    words: `alert,callout,box${isHazard(kind) ? ",hazard,safety" : ""}`,
  };
};

/** Alerts about hazards, the most severe first. */
export const hazardAlerts: readonly BlockMenuChoice[] = hazardKinds.map(alertChoiceOf);
/** Alerts that aren't about hazards, such as notes. */
export const otherAlerts: readonly BlockMenuChoice[] = alertKinds.filter((kind) => !isHazard(kind)).map(alertChoiceOf);

const menuChoiceOf = ({ command, ...tool }: EditorTool, words: string): BlockMenuChoice => ({
  ...tool,
  does: command,
  words,
});

export const blocks: readonly BlockMenuChoice[] = [
  menuChoiceOf(tools.heading, "h1,heading 1,title,section,chapter"),
  menuChoiceOf(tools.ordered, "steps,procedure,1,ordered list"),
  ...hazardAlerts,
  { label: texts.image, icon: ImagePlus, does: "picture", words: "picture,photo,screenshot,drawing,upload" },
  menuChoiceOf(tools.bullet, "points,unordered list"),
  menuChoiceOf(tools.task, "tasks,todo,checkbox"),
  menuChoiceOf({ ...tools.table, label: texts.table }, "insert table,rows,columns,grid"),
  menuChoiceOf(tools.subheading, "h2,heading 2"),
  menuChoiceOf(tools.smallHeading, "h3,heading 3"),
  ...otherAlerts,
  { label: texts.link, icon: Link2, does: "link", words: "url,address,website", keys: commands.link.keys },
  menuChoiceOf(tools.quote, "blockquote,citation"),
  menuChoiceOf(tools.codeBlock, "command,script,program,pre"),
  menuChoiceOf(tools.rule, "horizontal rule,line,hr,separator"),
  menuChoiceOf(tools.paragraph, "paragraph,plain"),
];

/** The types that a block can change to. */
export const blockTypes: readonly BlockMenuChoice[] = [
  { ...menuChoiceOf(tools.paragraph, ""), does: turnIntoPlainText, pressed: isPlainParagraph },
  menuChoiceOf(tools.heading, ""),
  menuChoiceOf(tools.subheading, ""),
  menuChoiceOf(tools.smallHeading, ""),
  menuChoiceOf(tools.ordered, ""),
  menuChoiceOf(tools.bullet, ""),
  menuChoiceOf(tools.task, ""),
  menuChoiceOf(tools.quote, ""),
  menuChoiceOf(tools.codeBlock, ""),
];

function isPlainParagraph({ block: form, list: kind, quote: isQuote, alert }: ToolbarState): boolean {
  return form === "paragraph" && kind === null && !isQuote && alert === null;
}

/**
 * Returns the blocks that match a query, best first: the block's name begins with the query, then another word of the
 * name, then another word for the block.
 */
export function findBlocks(from: readonly BlockMenuChoice[], query: string): BlockMenuChoice[] {
  const typed = query.toLowerCase();
  const rankOf = ({ label, words }: BlockMenuChoice): number => {
    const name = label.toLowerCase();
    if (name.startsWith(typed)) return 0;
    if (name.includes(` ${typed}`)) return 1;
    return `,${words}`.includes(`,${typed}`) || words.includes(` ${typed}`) ? 2 : 3;
  };
  return [0, 1, 2].flatMap((wanted) => from.filter((one) => rankOf(one) === wanted));
}
