/** All named commands. The palette, tooltips and the `?` sheet show these texts. */

export interface Command {
  /** `Mod+K`, `/`, or keys one after another: `g d`. Null: it is found in the palette alone. */
  keys: string | null;
  text: string;
  where: "anywhere" | "go" | "lists" | "sop" | "approvals" | "writing";
  /** Runs where it is shown; not a command of the palette. */
  sheetOnly?: boolean;
  /** Also from within a text of several lines. */
  whileWriting?: boolean;
}

export const commands = {
  palette: { keys: "Mod+K", text: "Search and commands", where: "anywhere", sheetOnly: true },
  search: { keys: "/", text: "Search SOPs", where: "anywhere" },
  // before New SOP, which has the same key on other screens
  nextChange: { keys: "n", text: "Next change", where: "approvals" },
  newSop: { keys: "n", text: "New SOP", where: "anywhere" },
  assistant: { keys: "Mod+J", text: "AI Assistant", where: "anywhere", whileWriting: true },
  sidebar: { keys: "Mod+.", text: "Show or hide the sidebar", where: "anywhere", whileWriting: true },
  theme: { keys: "Mod+Shift+L", text: "Switch between light and dark", where: "anywhere", whileWriting: true },
  help: { keys: "?", text: "Keyboard shortcuts", where: "anywhere" },
  signOut: { keys: null, text: "Sign out", where: "anywhere" },
  dashboard: { keys: "g d", text: "Dashboard", where: "go" },
  all: { keys: "g a", text: "All SOPs", where: "go" },
  favorites: { keys: "g f", text: "Favorites", where: "go" },
  recent: { keys: "g r", text: "Recent", where: "go" },
  pending: { keys: "g p", text: "Pending Approval", where: "go" },
  settings: { keys: "g s", text: "Settings", where: "go" },
  view: { keys: "v", text: "Cards or rows", where: "lists" },
  filters: { keys: "f", text: "Filter the list", where: "lists" },
  next: { keys: "j", text: "Next SOP", where: "lists", sheetOnly: true },
  previous: { keys: "k", text: "Previous SOP", where: "lists", sheetOnly: true },
  open: { keys: "Enter", text: "Open the SOP", where: "lists", sheetOnly: true },
  select: { keys: "x", text: "Select SOPs", where: "lists" },
  tagChosen: { keys: "t", text: "Tags of the selected SOPs", where: "lists" },
  ownChosen: { keys: "o", text: "Owner of the selected SOPs", where: "lists" },
  archiveChosen: { keys: "a", text: "Archive the selected SOPs", where: "lists" },
  deselect: { keys: "Escape", text: "Clear the selection", where: "lists", sheetOnly: true },
  remind: { keys: "r", text: "Remind readers who are late", where: "lists" },
  edit: { keys: "e", text: "Edit this SOP", where: "sop" },
  star: { keys: "s", text: "Add or remove a favorite", where: "sop" },
  history: { keys: "h", text: "Versions of this SOP", where: "sop" },
  print: { keys: null, text: "Print this SOP", where: "sop" },
  approve: { keys: "a", text: "Approve", where: "approvals" },
  reject: { keys: "r", text: "Reject", where: "approvals" },
  requestChanges: { keys: "q", text: "Request changes", where: "approvals" },
  properties: { keys: "Mod+.", text: "Show or hide the properties", where: "writing", whileWriting: true },
  send: { keys: "Mod+Enter", text: "Submit or publish, also in a dialog", where: "writing", sheetOnly: true },
  save: { keys: "Mod+S", text: "Save", where: "writing", sheetOnly: true },
  undo: { keys: "Mod+Z", text: "Undo", where: "writing", sheetOnly: true },
  toolbar: { keys: "Alt+F10", text: "Formatting", where: "writing", sheetOnly: true },
  focusMode: { keys: "Mod+Shift+F", text: "Focus mode", where: "anywhere", whileWriting: true },
  moveUp: { keys: "Alt+ArrowUp", text: "Move the block up", where: "writing", sheetOnly: true },
  moveDown: { keys: "Alt+ArrowDown", text: "Move the block down", where: "writing", sheetOnly: true },
  nextFinding: { keys: "F8", text: "Next issue", where: "writing", sheetOnly: true },
  previousFinding: { keys: "Shift+F8", text: "Previous issue", where: "writing", sheetOnly: true },
  blocks: { keys: "/", text: "Insert a block", where: "writing", sheetOnly: true },
  heading: { keys: "Mod+Alt+1", text: "Heading", where: "writing", sheetOnly: true },
  subheading: { keys: "Mod+Alt+2", text: "Subheading", where: "writing", sheetOnly: true },
  smallHeading: { keys: "Mod+Alt+3", text: "Small heading", where: "writing", sheetOnly: true },
  paragraph: { keys: "Mod+Alt+0", text: "Text", where: "writing", sheetOnly: true },
  ordered: { keys: "Mod+Alt+7", text: "Numbered list", where: "writing", sheetOnly: true },
  bullet: { keys: "Mod+Alt+8", text: "Bullet list", where: "writing", sheetOnly: true },
  task: { keys: "Mod+Alt+9", text: "Checklist", where: "writing", sheetOnly: true },
  link: { keys: "Mod+K", text: "Link", where: "writing", sheetOnly: true },
} as const satisfies Record<string, Command>;

export type CommandId = keyof typeof commands;

export const places = {
  anywhere: "Anywhere",
  go: "Go to",
  lists: "In lists",
  sop: "On an SOP",
  approvals: "On Pending Approval",
  writing: "While writing",
} as const satisfies Record<Command["where"], string>;
