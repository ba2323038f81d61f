import { clsx } from "clsx";
import { Keyboard, Menu, Moon, PanelLeft, Sun } from "lucide-react";
import { useRef } from "react";
import { useLocation } from "react-router-dom";
import { AssistantOpener } from "../ai/AssistantButton.tsx";
import { Bell } from "../notifications/Bell.tsx";
import { SearchBox } from "../search/SearchBox.tsx";
import { commands } from "../shortcuts/registry.ts";
import { runCommand, useCommand } from "../shortcuts/use-command.ts";
import { ListSearch } from "../sops/list/ListSearch.tsx";
import { Button } from "../ui/Button.tsx";
import { useUrlFilters } from "../use-url-filters.ts";
import { IconButton } from "../ui/IconButton.tsx";
import { Kbd } from "../ui/Kbd.tsx";
import { listSearchLabel } from "./list-controls.ts";
import { texts } from "./texts.ts";
import type { ThemeControl } from "./theme.ts";
import { sidebarId } from "./use-sidebar.ts";

interface TopBarProps {
  onOpenNavigation(): void;
  /** The sidebar beside the page. `hasRoom` says whether it fits. */
  sidebar: { shown: boolean; hasRoom: boolean; toggle(): void };
  theme: ThemeControl;
}

export function TopBar({ onOpenNavigation, sidebar, theme }: TopBarProps) {
  const { pathname } = useLocation();
  const listLabel = listSearchLabel(pathname);
  return (
    <header
      data-print="hide"
      className="sticky top-0 z-30 flex h-top items-center gap-1 border-b border-line bg-bg px-2 sm:gap-2 sm:px-8"
    >
      <Button
        variant="ghost"
        size="icon"
        aria-label={texts.openNavigation}
        // On a phone the navigation opens the assistant, which later returns the focus to this button.
        data-assistant-open
        onClick={onOpenNavigation}
        className={clsx(sidebar.hasRoom && "lg:hidden")}
      >
        <Menu aria-hidden />
      </Button>
      {sidebar.hasRoom && (
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
      )}
      {listLabel === null ? <SearchBox /> : <ListSearchField key={pathname} label={listLabel} />}
      <div className="ml-auto flex items-center">
        <AssistantOpener />
        <Bell />
        <ThemeToggle theme={theme} />
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

const noSearch = { search: "" };

/** The search field for the list on the current screen. */
function ListSearchField({ label }: { label: string }) {
  const { filters, set } = useUrlFilters(noSearch);
  const box = useRef<HTMLElement>(null);
  useCommand("search", () => {
    const field = box.current?.querySelector("input");
    field?.focus();
    field?.select();
  });
  return (
    <search ref={box} className="min-w-0 flex-1 sm:max-w-md">
      <ListSearch
        label={label}
        hint={filters.search === "" && <Kbd keys={commands.palette.keys} />}
        value={filters.search}
        onSearch={(search) => set({ search }, { replace: true })}
      />
    </search>
  );
}

function ThemeToggle({ theme }: { theme: ThemeControl }) {
  return (
    <IconButton
      label={theme.isDark ? texts.toLight : texts.toDark}
      shortcut={commands.theme.keys}
      onClick={theme.toggle}
      // A phone's bar has no room for this button. The palette can switch the theme too.
      className="max-sm:hidden"
    >
      {theme.isDark ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </IconButton>
  );
}
