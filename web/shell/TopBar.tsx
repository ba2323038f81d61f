import { Keyboard, LayoutGrid, List, ListFilter, Menu, Moon, PanelLeft, Sun } from "lucide-react";
import { useLocation } from "react-router-dom";
import { AssistantOpener } from "../ai/AssistantButton.tsx";
import { Bell } from "../notifications/Bell.tsx";
import { SearchBox } from "../search/SearchBox.tsx";
import { commands } from "../shortcuts/registry.ts";
import { runCommand, useCommand } from "../shortcuts/use-command.ts";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { filtersId, hasList, useFiltersShown, useListView } from "./list-controls.ts";
import { texts } from "./texts.ts";
import { useTheme } from "./theme.ts";
import { sidebarId } from "./use-sidebar.ts";

interface TopBarProps {
  onOpenNavigation(): void;
  /** The sidebar beside the page, where there is room for one. */
  sidebar: { shown: boolean; toggle(): void };
}

export function TopBar({ onOpenNavigation, sidebar }: TopBarProps) {
  const { pathname } = useLocation();
  return (
    <header
      data-print="hide"
      className="sticky top-0 z-30 flex h-top items-center gap-1 border-b border-line bg-bg px-2 sm:gap-2 sm:px-8"
    >
      <Button
        variant="ghost"
        size="icon"
        aria-label={texts.openNavigation}
        onClick={onOpenNavigation}
        className="lg:hidden"
      >
        <Menu aria-hidden />
      </Button>
      <IconButton
        label={sidebar.shown ? texts.hideSidebar : texts.showSidebar}
        shortcut={commands.sidebar.keys}
        aria-expanded={sidebar.shown}
        aria-controls={sidebarId}
        onClick={sidebar.toggle}
        className="max-lg:hidden"
      >
        <PanelLeft aria-hidden />
      </IconButton>
      <SearchBox />
      <div className="ml-auto flex items-center">
        {hasList(pathname) && (
          // a phone's bar has no room for these beside a field in use; the keyboard still reaches them, which brings them back
          <div data-list-controls className="flex max-sm:in-[:has(>search:focus-within)]:sr-only">
            <FilterToggle />
            <ViewSwitch />
          </div>
        )}
        <AssistantOpener />
        <Bell />
        <ThemeToggle />
        <IconButton
          label={texts.shortcuts}
          shortcut={commands.help.keys}
          onClick={() => runCommand("help")}
          className="max-lg:hidden"
        >
          <Keyboard aria-hidden />
        </IconButton>
      </div>
    </header>
  );
}

function FilterToggle() {
  const filters = useFiltersShown();
  useCommand("filters", filters.toggle);
  return (
    <IconButton
      label={texts.filters}
      shortcut={commands.filters.keys}
      aria-expanded={filters.shown}
      aria-controls={filters.shown ? filtersId : undefined}
      onClick={filters.toggle}
    >
      <ListFilter aria-hidden />
    </IconButton>
  );
}

function ViewSwitch() {
  const [view, setView] = useListView();
  const isGrid = view === "grid";
  const change = () => setView(isGrid ? "list" : "grid");
  useCommand("view", change);
  return (
    <IconButton label={isGrid ? texts.listView : texts.gridView} shortcut={commands.view.keys} onClick={change}>
      {isGrid ? <List aria-hidden /> : <LayoutGrid aria-hidden />}
    </IconButton>
  );
}

function ThemeToggle() {
  const theme = useTheme();
  useCommand("theme", theme.toggle);
  return (
    <IconButton
      label={theme.isDark ? texts.toLight : texts.toDark}
      shortcut={commands.theme.keys}
      onClick={theme.toggle}
    >
      {theme.isDark ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </IconButton>
  );
}
