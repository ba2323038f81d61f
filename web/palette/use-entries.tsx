import type { PermittedAction } from "#core/permissions/actions.ts";
import { categoryPaths } from "#core/categories/rules.ts";
import { useRead } from "../api.ts";
import { useMay } from "../session.tsx";
import { commands, type KeyboardCommand, type CommandId } from "../shortcuts/registry.ts";
import { runCommand, useLiveCommands } from "../shortcuts/use-command.ts";
import { useSopList } from "../sops/list/use-sop-list.ts";
import { CategoryDot } from "../ui/CategoryDot.tsx";
import type { PaletteEntry } from "./entries.ts";
import { adminTexts, texts } from "./texts.ts";

/** Screens without a shortcut, each with the permission that shows it in the sidebar. */
const administration: readonly { to: string; text: () => string; action: PermittedAction }[] = [
  { to: "/admin/companies", text: () => adminTexts.companies, action: "companies.manage" },
  { to: "/admin/server", text: () => adminTexts.server, action: "companies.manage" },
  { to: "/admin/company", text: () => adminTexts.company, action: "user.manage" },
  { to: "/admin/users", text: () => adminTexts.users, action: "user.manage" },
  { to: "/admin/teams", text: () => adminTexts.teams, action: "team.write" },
  { to: "/confirmations", text: () => adminTexts.confirmations, action: "team.write" },
  { to: "/admin/audit", text: () => adminTexts.audit, action: "audit.read" },
];
const sections = {
  anywhere: () => texts.actions,
  go: () => texts.goTo,
  lists: () => texts.here,
  sop: () => texts.here,
  approvals: () => texts.here,
  writing: () => texts.here,
} as const;
const recentAtMost = 5;

/** Returns all pages and commands that the palette offers now. */
export function usePaletteEntries(): PaletteEntry[] {
  const live = useLiveCommands();
  const may = useMay();
  const categories = useRead("categories", "list", {});
  const paths = categoryPaths(categories.data ?? []);
  const recent = useSopList({ recent: "month" }, recentAtMost);
  const offered = live.flatMap((id) => commandEntryOf(id));
  const pages = administration
    .filter(({ action }) => may(action))
    .map(({ to, text }): PaletteEntry => ({ id: to, section: texts.goTo, text: text(), to }));
  return [
    ...offered.filter(({ id }) => isCommandOf(id, "sop")),
    ...(recent.data?.pages[0]?.data ?? []).map(({ id, title }): PaletteEntry => ({
      id,
      section: texts.recent,
      text: title,
      to: `/sop/${id}`,
    })),
    ...offered.filter(({ id }) => isCommandOf(id, "lists")),
    ...offered.filter(({ section }) => section === texts.actions),
    ...offered.filter(({ section }) => section === texts.goTo),
    ...pages,
    ...(categories.data ?? []).map(({ id, color, name }): PaletteEntry => ({
      id,
      section: texts.categories,
      text: paths.get(id) ?? name,
      icon: <CategoryDot color={color} />,
      to: `/category/${id}`,
    })),
  ];
}

function isCommandOf(id: string, where: KeyboardCommand["where"]): boolean {
  return commands[id as CommandId].where === where;
}

function commandEntryOf(id: CommandId): PaletteEntry[] {
  const command = commands[id];
  // Search isn't offered, because the palette is a search itself.
  if ("sheetOnly" in command || id === "search") return [];
  const { text, keys, where } = command;
  return [{ id, section: sections[where](), text, keys, run: () => void runCommand(id) }];
}
