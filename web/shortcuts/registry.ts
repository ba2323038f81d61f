/** All named commands. The palette, tooltips and the `?` sheet show these texts. */

import { catalog } from "#core/language/catalog.ts";

export interface KeyboardCommand {
  /**
   * `Mod+K`, `/`, or keys in sequence such as `g d`. Null for a command without keys, which only the palette offers.
   */
  keys: string | null;
  text: string;
  where: "anywhere" | "go" | "lists" | "sop" | "approvals" | "writing";
  /** True if a component handles the key itself, so that the command is only in the list of shortcuts. */
  sheetOnly?: boolean;
  /** True if the command also works while the focus is in a field of several lines. */
  whileWriting?: boolean;
}

const commandTexts = catalog("shortcuts", {
  palette: "Search and commands",
  search: "Search SOPs",
  nextChange: "Next change",
  newSop: "New SOP",
  assistant: "AI Assistant",
  sidebar: "Show or hide the sidebar",
  theme: "Switch between light and dark",
  help: "Keyboard shortcuts",
  signOut: "Sign out",
  dashboard: "Dashboard",
  all: "All SOPs",
  favorites: "Favorites",
  recent: "Recent",
  pending: "Pending Approval",
  settings: "Settings",
  view: "Cards or rows",
  filters: "Filter the list",
  next: "Next SOP",
  previous: "Previous SOP",
  open: "Open the SOP",
  select: "Select SOPs",
  tagChosen: "Tags of the selected SOPs",
  ownChosen: "Owner of the selected SOPs",
  archiveChosen: "Archive the selected SOPs",
  deselect: "Clear the selection",
  remind: "Remind readers who are late",
  edit: "Edit this SOP",
  star: "Add or remove a favorite",
  history: "Versions of this SOP",
  print: "Print this SOP",
  approve: "Approve",
  reject: "Reject",
  requestChanges: "Request changes",
  properties: "Show or hide the properties",
  send: "Submit or publish, also in a dialog",
  save: "Save",
  undo: "Undo",
  toolbar: "Formatting",
  focusMode: "Focus mode",
  moveUp: "Move the block up",
  moveDown: "Move the block down",
  nextFinding: "Next issue",
  previousFinding: "Previous issue",
  blocks: "Insert a block",
  heading: "Heading",
  subheading: "Subheading",
  smallHeading: "Small heading",
  paragraph: "Text",
  ordered: "Numbered list",
  bullet: "Bullet list",
  task: "Checklist",
  link: "Link",
});

const commandRows = {
  palette: { keys: "Mod+K", where: "anywhere", sheetOnly: true },
  search: { keys: "/", where: "anywhere" },
  // `nextChange` comes before `newSop`, which has the same key on other screens.
  nextChange: { keys: "n", where: "approvals" },
  newSop: { keys: "n", where: "anywhere" },
  assistant: { keys: "Mod+J", where: "anywhere", whileWriting: true },
  sidebar: { keys: "Mod+.", where: "anywhere", whileWriting: true },
  theme: { keys: "Mod+Shift+L", where: "anywhere", whileWriting: true },
  help: { keys: "?", where: "anywhere" },
  signOut: { keys: null, where: "anywhere" },
  dashboard: { keys: "g d", where: "go" },
  all: { keys: "g a", where: "go" },
  favorites: { keys: "g f", where: "go" },
  recent: { keys: "g r", where: "go" },
  pending: { keys: "g p", where: "go" },
  settings: { keys: "g s", where: "go" },
  view: { keys: "v", where: "lists" },
  filters: { keys: "f", where: "lists" },
  next: { keys: "j", where: "lists", sheetOnly: true },
  previous: { keys: "k", where: "lists", sheetOnly: true },
  open: { keys: "Enter", where: "lists", sheetOnly: true },
  select: { keys: "x", where: "lists" },
  tagChosen: { keys: "t", where: "lists" },
  ownChosen: { keys: "o", where: "lists" },
  archiveChosen: { keys: "a", where: "lists" },
  deselect: { keys: "Escape", where: "lists", sheetOnly: true },
  remind: { keys: "r", where: "lists" },
  edit: { keys: "e", where: "sop" },
  star: { keys: "s", where: "sop" },
  history: { keys: "h", where: "sop" },
  print: { keys: null, where: "sop" },
  approve: { keys: "a", where: "approvals" },
  reject: { keys: "r", where: "approvals" },
  requestChanges: { keys: "q", where: "approvals" },
  properties: { keys: "Mod+.", where: "writing", whileWriting: true },
  send: { keys: "Mod+Enter", where: "writing", sheetOnly: true },
  save: { keys: "Mod+S", where: "writing", sheetOnly: true },
  undo: { keys: "Mod+Z", where: "writing", sheetOnly: true },
  toolbar: { keys: "Alt+F10", where: "writing", sheetOnly: true },
  focusMode: { keys: "Mod+Shift+F", where: "anywhere", whileWriting: true },
  moveUp: { keys: "Alt+ArrowUp", where: "writing", sheetOnly: true },
  moveDown: { keys: "Alt+ArrowDown", where: "writing", sheetOnly: true },
  nextFinding: { keys: "F8", where: "writing", sheetOnly: true },
  previousFinding: { keys: "Shift+F8", where: "writing", sheetOnly: true },
  blocks: { keys: "/", where: "writing", sheetOnly: true },
  heading: { keys: "Mod+Alt+1", where: "writing", sheetOnly: true },
  subheading: { keys: "Mod+Alt+2", where: "writing", sheetOnly: true },
  smallHeading: { keys: "Mod+Alt+3", where: "writing", sheetOnly: true },
  paragraph: { keys: "Mod+Alt+0", where: "writing", sheetOnly: true },
  ordered: { keys: "Mod+Alt+7", where: "writing", sheetOnly: true },
  bullet: { keys: "Mod+Alt+8", where: "writing", sheetOnly: true },
  task: { keys: "Mod+Alt+9", where: "writing", sheetOnly: true },
  link: { keys: "Mod+K", where: "writing", sheetOnly: true },
} as const satisfies Record<keyof typeof commandTexts, Omit<KeyboardCommand, "text">>;

export type CommandId = keyof typeof commandRows;
type Commands = { readonly [K in CommandId]: (typeof commandRows)[K] & { readonly text: string } };

/** The texts are getters, because the language is known only when they are shown. */
export const commands = Object.fromEntries(
  Object.entries(commandRows).map(([id, row]) => [
    id,
    Object.defineProperty({ ...row }, "text", { enumerable: true, get: () => commandTexts[id as CommandId] }),
  ]),
) as Commands;

export const shortcutGroupTitles = catalog("shortcuts.places", {
  anywhere: "Anywhere",
  go: "Go to",
  lists: "In lists",
  sop: "On an SOP",
  approvals: "On Pending Approval",
  writing: "While writing",
}) satisfies Record<KeyboardCommand["where"], string>;
