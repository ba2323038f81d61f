import { LayoutGrid, List, ListFilter, Menu, Moon, Search, Sun } from "lucide-react";
import { lazy, Suspense, type FormEvent } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { SearchInput } from "../ui/Input.tsx";
import { filtersId, hasList, useFiltersShown, useListView } from "./list-controls.ts";
import { texts } from "./texts.ts";
import { useTheme } from "./theme.ts";

/** The screen does not wait for it. */
const Bell = lazy(() => import("../notifications/Bell.tsx").then((module) => ({ default: module.Bell })));

export function TopBar({ onOpenNavigation }: { onOpenNavigation(): void }) {
  const { pathname } = useLocation();
  return (
    <header
      data-print="hide"
      className="sticky top-0 z-30 flex h-14 items-center gap-1 border-b border-line bg-bg/90 px-2 backdrop-blur-sm sm:gap-2 sm:px-6"
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
      <SearchBox />
      <div className="ml-auto flex items-center">
        {hasList(pathname) && (
          <>
            <FilterToggle />
            <ViewSwitch />
          </>
        )}
        <Suspense fallback={<span className="size-9" />}>
          <Bell />
        </Suspense>
        <ThemeToggle />
      </div>
    </header>
  );
}

function SearchBox() {
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const search = String(new FormData(form).get("search")).trim();
    void navigate(search ? `/sops?${new URLSearchParams({ search })}` : "/sops");
    form.reset();
  };
  return (
    <search className="min-w-0 flex-1 sm:max-w-md">
      <form onSubmit={submit}>
        <SearchInput name="search" label={texts.search} placeholder={texts.search} icon={<Search />} maxLength={200} />
      </form>
    </search>
  );
}

function FilterToggle() {
  const filters = useFiltersShown();
  return (
    <IconButton
      label={texts.filters}
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
  return (
    <IconButton label={isGrid ? texts.listView : texts.gridView} onClick={() => setView(isGrid ? "list" : "grid")}>
      {isGrid ? <List aria-hidden /> : <LayoutGrid aria-hidden />}
    </IconButton>
  );
}

function ThemeToggle() {
  const theme = useTheme();
  return (
    <IconButton label={theme.isDark ? texts.toLight : texts.toDark} onClick={theme.toggle}>
      {theme.isDark ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </IconButton>
  );
}
