import { clsx } from "clsx";
import {
  BookOpenCheck,
  Briefcase,
  Building2,
  Clock,
  FileText,
  GitPullRequest,
  History,
  LayoutDashboard,
  LogOut,
  Plus,
  ScrollText,
  Server,
  Settings,
  Star,
  Users,
  UsersRound,
} from "lucide-react";
import { startTransition, useState, type ReactNode } from "react";
import { Link, NavLink, useNavigate } from "react-router-dom";
import { roleLabel } from "#core/permissions/roles.ts";
import { AssistantButton } from "../ai/AssistantButton.tsx";
import { useRead, useWrite } from "../api.ts";
import { useApprovalsToDecideCount } from "../approvals/use-approvals-to-decide.ts";
import { useMay, useMe, useSession } from "../session.tsx";
import { useCommand } from "../shortcuts/use-command.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { Button } from "../ui/Button.tsx";
import { CategoryDot } from "../ui/CategoryDot.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { useToast } from "../ui/Toast.tsx";
import { Tooltip } from "../ui/Tooltip.tsx";
import { Logo } from "./Logo.tsx";
import { texts } from "./texts.ts";

const CategoryDialog = lazyPart(() =>
  import("../categories/CategoryDialog.tsx").then((module) => module.CategoryDialog),
);

interface SidebarProps {
  /** Called when the user follows a link, so that the off-canvas sidebar closes. */
  onNavigate?: () => void;
}

export function Sidebar({ onNavigate }: SidebarProps) {
  const stats = useRead("stats", "get", {});
  const may = useMay();
  const { teamIds } = useMe();
  return (
    <div className="flex h-full flex-col bg-paper">
      <Link to="/" onClick={onNavigate} className="flex h-top shrink-0 items-center px-4">
        <Logo />
      </Link>
      <nav aria-label={texts.navigation} className="flex-1 overflow-y-auto px-2 py-2 [scrollbar-width:thin]">
        <div className="mb-4 flex flex-wrap gap-2 px-1 *:flex-auto empty:hidden">
          {may("sop.create") && (
            <Button asChild className="px-2! text-t2">
              <Link to="/sop/new" onClick={onNavigate}>
                <Plus aria-hidden />
                {texts.newSop}
              </Link>
            </Button>
          )}
          <AssistantButton onToggle={onNavigate} />
        </div>
        <ul className="grid grid-cols-[minmax(0,1fr)] ">
          <NavItem to="/" icon={<LayoutDashboard aria-hidden />} onNavigate={onNavigate}>
            {texts.dashboard}
          </NavItem>
          <NavItem
            to="/sops"
            icon={<FileText aria-hidden />}
            count={stats.data?.totalSOPs}
            hint={may("sop.create") ? texts.allSopsHint : undefined}
            onNavigate={onNavigate}
          >
            {texts.allSops}
          </NavItem>
          <NavItem to="/favorites" icon={<Star aria-hidden />} onNavigate={onNavigate}>
            {texts.favorites}
          </NavItem>
          <NavItem to="/recent" icon={<History aria-hidden />} onNavigate={onNavigate}>
            {texts.recent}
          </NavItem>
          <PendingItem onNavigate={onNavigate} />
          {(stats.data?.proposals ?? 0) > 0 && (
            <NavItem
              to="/proposals"
              icon={<GitPullRequest aria-hidden />}
              count={stats.data?.proposals}
              isSection
              onNavigate={onNavigate}
            >
              {texts.proposals}
            </NavItem>
          )}
          {!may("user.manage") && (may("team.write") || teamIds.length > 0) && <TeamsItem onNavigate={onNavigate} />}
          {!may("user.manage") && may("team.write") && <ConfirmationsItem onNavigate={onNavigate} />}
        </ul>
        <AdministrationLinks onNavigate={onNavigate} />
        <CategoryLinks onNavigate={onNavigate} />
      </nav>
      <UserBlock onNavigate={onNavigate} />
    </div>
  );
}

/** The link to pending approvals with the number of those that wait for the user. */
function PendingItem({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  return (
    <NavItem
      to="/pending"
      icon={<Clock aria-hidden />}
      count={useApprovalsToDecideCount()}
      countLabel={texts.waitingForYou}
      onNavigate={onNavigate}
    >
      {texts.pending}
    </NavItem>
  );
}

/** Links for administrators of the company. Companies and Server are only for system administrators. */
function AdministrationLinks({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const may = useMay();
  if (!may("user.manage")) return null;
  return (
    <section aria-labelledby="sidebar-administration" className="mt-4">
      <NavHeading id="sidebar-administration">{texts.administration}</NavHeading>
      <ul className="grid grid-cols-[minmax(0,1fr)] ">
        <NavItem to="/admin/company" icon={<Briefcase aria-hidden />} isSection onNavigate={onNavigate}>
          {texts.company}
        </NavItem>
        <NavItem to="/admin/users" icon={<Users aria-hidden />} onNavigate={onNavigate}>
          {texts.users}
        </NavItem>
        <TeamsItem onNavigate={onNavigate} />
        <ConfirmationsItem onNavigate={onNavigate} />
        {may("audit.read") && (
          <NavItem to="/admin/audit" icon={<ScrollText aria-hidden />} onNavigate={onNavigate}>
            {texts.audit}
          </NavItem>
        )}
      </ul>
      {may("companies.manage") && (
        <div className="mt-4">
          <NavHeading id="sidebar-installation">{texts.installation}</NavHeading>
          <ul aria-labelledby="sidebar-installation" className="grid grid-cols-[minmax(0,1fr)] ">
            <NavItem to="/admin/companies" icon={<Building2 aria-hidden />} isSection onNavigate={onNavigate}>
              {texts.companies}
            </NavItem>
            <NavItem to="/admin/server" icon={<Server aria-hidden />} onNavigate={onNavigate}>
              {texts.server}
            </NavItem>
          </ul>
        </div>
      )}
    </section>
  );
}

function NavHeading({ id, children }: { id: string; children: string }) {
  return (
    <h2 id={id} className="flex min-h-6 items-center px-2 text-t1 font-medium text-muted">
      {children}
    </h2>
  );
}

/** The link to the teams: for administrators in the administration section, for others among the main screens. */
function TeamsItem({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  return (
    <NavItem to="/admin/teams" icon={<UsersRound aria-hidden />} onNavigate={onNavigate}>
      {texts.teams}
    </NavItem>
  );
}

/** The link to read confirmations, for roles that can ask for confirmations of all SOPs. */
function ConfirmationsItem({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  return (
    <NavItem to="/confirmations" icon={<BookOpenCheck aria-hidden />} onNavigate={onNavigate}>
      {texts.confirmations}
    </NavItem>
  );
}

function CategoryLinks({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const categories = useRead("categories", "list", {});
  if (categories.isError) return null;
  return (
    <section aria-labelledby="sidebar-categories" aria-busy={categories.isPending} className="mt-4">
      <div className="flex min-h-6 items-center justify-between px-2">
        <h2 id="sidebar-categories" className="text-t1 font-medium text-muted">
          {texts.categories}
        </h2>
        <NewCategoryButton onNavigate={onNavigate} />
      </div>
      <ul aria-label={texts.sopCounts} className="grid grid-cols-[minmax(0,1fr)] ">
        {categories.isPending
          ? [1, 2, 3, 4].map((line) => (
              <li key={line} className="px-2.5 py-1.5">
                <Skeleton className="h-4" />
              </li>
            ))
          : categories.data.map((category) => (
              <NavItem
                key={category.id}
                to={`/category/${category.id}`}
                icon={<CategoryDot color={category.color} />}
                count={category.count}
                isInner={category.parentId !== null}
                onNavigate={onNavigate}
              >
                {category.name}
              </NavItem>
            ))}
      </ul>
    </section>
  );
}

function NewCategoryButton({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const may = useMay();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  if (!may("category.write")) return null;
  return (
    <>
      <IconButton label={texts.newCategory} size="sm" onClick={() => setOpen(true)}>
        <Plus aria-hidden />
      </IconButton>
      {open && (
        <CategoryDialog
          category={null}
          onClose={() => setOpen(false)}
          onSaved={({ id }) => {
            void navigate(`/category/${id}`);
            onNavigate?.();
          }}
        />
      )}
    </>
  );
}

interface NavItemProps {
  to: string;
  icon: ReactNode;
  count?: number | undefined;
  /** The unit of the count for screen readers, such as waiting approvals. */
  countLabel?: string;
  /** A tooltip that explains the item's numbers. */
  hint?: string | undefined;
  /** True if the item is also marked as current on the pages below it. */
  isSection?: boolean;
  /** True if the item is indented below the item before it. */
  isInner?: boolean;
  onNavigate: (() => void) | undefined;
  children: ReactNode;
}

function NavItem({
  to,
  icon,
  count,
  countLabel,
  hint,
  isSection = false,
  isInner,
  onNavigate,
  children,
}: NavItemProps) {
  const item = (
    <li>
      <NavLink
        to={to}
        end={!isSection}
        onClick={onNavigate}
        className={({ isActive }) =>
          clsx(
            "flex min-h-7.5 items-center gap-2 rounded-md px-2 transition-colors duration-150 pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0",
            isInner && "ml-4",
            isActive ? "bg-sunken font-medium text-text" : "text-muted hover:bg-sunken",
          )
        }
      >
        <span className="grid size-4 shrink-0 place-items-center">{icon}</span>
        <span className="min-w-0 flex-1 truncate">{children}</span>
        {count !== undefined && count > 0 && (
          <span className={clsx("text-t1 tabular-nums", countLabel && "font-medium text-warning")}>
            {count}
            {countLabel && <span className="sr-only"> {countLabel}</span>}
          </span>
        )}
      </NavLink>
    </li>
  );
  // The tooltip is around the list item: around the link, it would replace the link's class function.
  return hint ? (
    <Tooltip content={hint} side="right">
      {item}
    </Tooltip>
  ) : (
    item
  );
}

function UserBlock({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const me = useMe();
  const session = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  const logout = useWrite("auth", "logout");
  const signOut = () => {
    session.leave(true);
    logout.mutate(
      {},
      {
        onError: () => {
          session.leave(false);
          toast({ title: texts.signOutFailed, variant: "destructive" });
        },
        onSuccess: () =>
          // One update changes path and session, so that the guard never sees a signed-out user on a protected path,
          // which it would remember.
          startTransition(() => {
            void navigate("/login");
            session.restart(null);
          }),
      },
    );
  };
  useCommand("signOut", signOut);
  return (
    <div className="mx-2 flex items-center gap-2 border-t border-line px-2 py-3">
      <Avatar initials={me.initials} image={me.avatar} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{me.name}</p>
        <p className="truncate text-xs text-muted">{roleLabel(me.role)}</p>
      </div>
      <Tooltip content={texts.settings}>
        <Button asChild variant="ghost" size="icon-sm">
          <Link to="/settings" aria-label={texts.settings} onClick={onNavigate}>
            <Settings aria-hidden />
          </Link>
        </Button>
      </Tooltip>
      <IconButton label={texts.signOut} size="sm" busy={logout.isPending} onClick={signOut}>
        {!logout.isPending && <LogOut aria-hidden />}
      </IconButton>
    </div>
  );
}
