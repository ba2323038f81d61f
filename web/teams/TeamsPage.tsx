import { Pencil, Plus, Trash2, Users, UsersRound } from "lucide-react";
import { useState } from "react";
import { errorMessageOf, useRead, useWrite } from "../api.ts";
import { useMay, useMe } from "../session.tsx";
import { PageHeading } from "../shell/PageHeading.tsx";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { Button } from "../ui/Button.tsx";
import { DataTable, type Column } from "../ui/DataTable.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { RowMenu, type RowAction } from "../ui/RowMenu.tsx";
import { timeAgo } from "../ui/time.ts";
import { useToast } from "../ui/Toast.tsx";
import type { Team } from "./TeamDialog.tsx";
import { texts } from "./texts.ts";

const MembersDialog = lazyPart(() => import("./MembersDialog.tsx").then((module) => module.MembersDialog));
const TeamDialog = lazyPart(() => import("./TeamDialog.tsx").then((module) => module.TeamDialog));

type OpenTeamDialog = { kind: "create" } | { kind: "edit" | "members" | "remove"; id: string };

const administrators = ["system_admin", "company_admin", "admin"];

/** /admin/teams lists the teams for all users. The server decides who can change one. */
export function TeamsPage() {
  const may = useMay();
  const { role } = useMe();
  const teams = useRead("teams", "list", {});
  const [open, setOpen] = useState<OpenTeamDialog | null>(null);
  const close = () => setOpen(null);
  const chosen = open && "id" in open ? teams.data?.find(({ id }) => id === open.id) : undefined;
  const newTeam = may("team.write") && (
    <Button variant="primary" onClick={() => setOpen({ kind: "create" })}>
      <Plus aria-hidden />
      {texts.newTeam}
    </Button>
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeading title={texts.title} subtitle={texts.subtitle} actions={newTeam} />
      <DataTable
        list={{
          rows: teams.data ?? [],
          isPending: teams.isPending,
          hasFailed: teams.isError,
          retry: () => void teams.refetch(),
        }}
        columns={teamColumns(setOpen)}
        texts={{
          label: texts.list,
          loading: texts.loading,
          failed: texts.failed,
          count: (teams) => texts.count({ teams }),
        }}
        empty={
          <EmptyState
            icon={<UsersRound />}
            title={texts.empty}
            hint={newTeam ? texts.emptyHint : texts.emptyReader}
            action={newTeam}
          />
        }
      />
      {open?.kind === "create" && (
        <TeamDialog
          team={null}
          mayChooseOwner={administrators.includes(role)}
          onClose={close}
          onCreated={({ id }) => setOpen({ kind: "members", id })}
        />
      )}
      {open?.kind === "edit" && chosen && (
        <TeamDialog team={chosen} mayChooseOwner={chosen.mayDelete} onClose={close} onCreated={close} />
      )}
      {open?.kind === "members" && chosen && <MembersDialog team={chosen} onClose={close} />}
      <RemoveTeamDialog team={open?.kind === "remove" ? chosen : undefined} onClose={close} />
    </div>
  );
}

function teamColumns(open: (what: OpenTeamDialog) => void): Column<Team>[] {
  const { columns } = texts;
  return [
    {
      header: columns.name,
      isName: true,
      cell: ({ id, name, description, memberCount }) => (
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <button
            type="button"
            aria-label={texts.of({ members: texts.members, name, memberCount })}
            className="text-left font-medium wrap-anywhere after:absolute after:inset-0 hover:underline"
            onClick={() => open({ kind: "members", id })}
          >
            {name}
          </button>
          {description && <span className="text-t2 text-muted wrap-anywhere">{description}</span>}
        </span>
      ),
    },
    { header: columns.owner, isLabelled: true, cell: ({ ownerName }) => ownerName },
    { header: columns.members, isLabelled: true, cell: ({ memberCount }) => memberCount },
    { header: columns.updated, isLabelled: true, cell: ({ updatedAt }) => timeAgo(updatedAt) },
    {
      header: columns.actions,
      isMenu: true,
      cell: (team) => <RowMenu label={texts.menu({ name: team.name })} actions={teamActionsOf(team, open)} />,
    },
  ];
}

function teamActionsOf({ id, mayWrite, mayDelete }: Team, open: (what: OpenTeamDialog) => void): RowAction[] {
  return [
    {
      label: texts.members,
      icon: <Users aria-hidden />,
      onSelect: () => open({ kind: "members", id }),
    },
    ...(mayWrite
      ? [
          {
            label: texts.edit,
            icon: <Pencil aria-hidden />,
            onSelect: () => open({ kind: "edit", id }),
          },
        ]
      : []),
    ...(mayDelete
      ? [
          {
            label: texts.remove,
            icon: <Trash2 aria-hidden />,
            destructive: true,
            separated: true,
            onSelect: () => open({ kind: "remove", id }),
          },
        ]
      : []),
  ];
}

function RemoveTeamDialog({ team, onClose }: { team: Team | undefined; onClose(): void }) {
  const remove = useWrite("teams", "remove");
  const toast = useToast();
  const confirm = async (): Promise<void> => {
    if (!team) return;
    try {
      const { sops, categories } = await remove.mutateAsync({ params: { id: team.id } });
      toast({ title: texts.removed, description: texts.removedText({ sops, categories }) });
    } catch (error) {
      toast({ title: texts.error, description: errorMessageOf(error, texts.actionFailed), variant: "destructive" });
    }
    onClose();
  };
  return (
    <AlertDialog
      open={team !== undefined}
      onOpenChange={onClose}
      title={texts.removeAsk({ name: team?.name ?? "" })}
      description={texts.removeText}
      confirm={texts.removeConfirm}
      cancel={texts.cancel}
      destructive
      busy={remove.isPending}
      onConfirm={() => void confirm()}
    />
  );
}
