import { printedName } from "#core/users/printed-name.ts";
import { useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useRef, useState, type FormEvent } from "react";
import { queryKeyOf, errorMessageOf, useRead, useWrite, type Output } from "../api.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { Field } from "../ui/Field.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Select } from "../ui/Select.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { dateText } from "../ui/time.ts";
import { useToast } from "../ui/Toast.tsx";
import type { Team } from "./TeamDialog.tsx";
import { texts } from "./texts.ts";

type ListedMember = Output<"teams", "members">[number];
type TeamRole = ListedMember["role"];

const roleOptions = (Object.keys(texts.roles) as TeamRole[]).map((value) => ({ value, label: texts.roles[value] }));

export function MembersDialog({ team, onClose }: { team: Team; onClose(): void }) {
  const members = useRead("teams", "members", { params: { id: team.id } });
  const changes = useMemberChanges(team);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={texts.membersTitle({ name: team.name })}
      description={texts.membersText}
      footer={<Button onClick={onClose}>{texts.done}</Button>}
    >
      {members.data ? (
        <div className="grid gap-5">
          {team.mayWrite && <AddMemberForm members={members.data} changes={changes} />}
          <MemberList team={team} members={members.data} changes={changes} />
        </div>
      ) : members.isError ? (
        <ErrorState title={texts.membersFailed} onRetry={() => void members.refetch()} />
      ) : (
        <output className="flex items-center gap-2 py-6 text-muted">
          <Spinner />
          {texts.membersLoading}
        </output>
      )}
    </Dialog>
  );
}

/**
 * Returns functions that change a team's members. The server answers each change with all members, which are cached.
 */
function useMemberChanges(team: Team) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const add = useWrite("teams", "addMember");
  const remove = useWrite("teams", "removeMember");
  const params = { id: team.id };
  const runChange = async (work: () => Promise<ListedMember[]>, title: string, undo?: () => void): Promise<boolean> => {
    try {
      queryClient.setQueryData(queryKeyOf("teams", "members", { params }), await work());
      toast({ title, ...(undo && { action: { label: texts.undo, onClick: undo } }) });
      return true;
    } catch (error) {
      toast({ title: texts.error, description: errorMessageOf(error, texts.actionFailed), variant: "destructive" });
      return false;
    }
  };
  const setRole = (userId: string, role: TeamRole, done: string) =>
    runChange(() => add.mutateAsync({ params, body: { userId, role } }), done);
  return {
    busy: add.isPending || remove.isPending,
    setRole,
    removeMember: ({ userId, name, role }: ListedMember) =>
      runChange(
        () => remove.mutateAsync({ params: { ...params, userId } }),
        texts.taken({ name }),
        () => void setRole(userId, role, texts.added({ name })),
      ),
  };
}

type MemberChanges = ReturnType<typeof useMemberChanges>;

function AddMemberForm({ members, changes }: { members: readonly ListedMember[]; changes: MemberChanges }) {
  const people = useRead("users", "list", {});
  const [userId, setUserId] = useState("");
  const [role, setRole] = useState<TeamRole>("member");
  const inside = new Set(members.map((member) => member.userId));
  const outside = (people.data ?? []).filter(({ id }) => !inside.has(id));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const person = outside.find(({ id }) => id === userId);
    if (person && (await changes.setRole(person.id, role, texts.added({ name: person.name })))) setUserId("");
  };
  if (people.data && outside.length === 0) return <p className="text-muted">{texts.everybody}</p>;
  return (
    <form
      onSubmit={(event) => void submit(event)}
      aria-label={texts.addLabel}
      className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_8rem_auto]"
    >
      <Field label={texts.person}>
        {(control) => (
          <Select
            {...control}
            value={userId}
            onChange={(event) => setUserId(event.target.value)}
            placeholder={texts.choose}
            options={outside.map((one) => ({ value: one.id, label: printedName(one) }))}
          />
        )}
      </Field>
      <Field label={texts.memberRole}>
        {(control) => (
          <Select
            {...control}
            value={role}
            onChange={(event) => setRole(event.target.value as TeamRole)}
            options={roleOptions}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={userId === ""} busy={changes.busy}>
        {texts.add}
      </Button>
    </form>
  );
}

interface MemberListProps {
  team: Team;
  members: readonly ListedMember[];
  changes: MemberChanges;
}

function MemberList({ team, members, changes }: MemberListProps) {
  const list = useRef<HTMLUListElement>(null);
  const removeMember = async (member: ListedMember): Promise<void> => {
    // The removed row had the focus, so the list takes it.
    if (await changes.removeMember(member)) list.current?.focus();
  };
  return (
    <ul ref={list} tabIndex={-1} aria-label={texts.members} className="divide-y divide-line outline-none">
      {members.map((member) => (
        <li key={member.userId} className="flex min-h-row flex-wrap items-center gap-x-3 py-1">
          <Avatar initials={member.initials} size="sm" />
          <div className="flex min-w-32 flex-1 flex-wrap items-baseline gap-x-3">
            <p className="flex flex-wrap items-center gap-2 font-medium">
              {member.name}
              {member.userId === team.ownerId && <Badge tone="primary">{texts.ownerBadge}</Badge>}
              {!team.mayWrite && member.role === "lead" && <Badge>{texts.roles.lead}</Badge>}
            </p>
            <p className="text-t2 text-muted">{texts.since({ day: dateText(member.joinedAt) })}</p>
          </div>
          {team.mayWrite && (
            <div className="flex items-center">
              <Select
                quiet
                aria-label={texts.role({ name: member.name })}
                value={member.role}
                onChange={(event) =>
                  void changes.setRole(
                    member.userId,
                    event.target.value as TeamRole,
                    texts.roleChanged({ name: member.name }),
                  )
                }
                options={roleOptions}
              />
              {member.userId === team.ownerId ? (
                // A placeholder keeps the selects of all rows aligned.
                <span className="w-7 max-sm:w-9 pointer-coarse:w-11" />
              ) : (
                <IconButton
                  size="sm"
                  label={`${texts.removeMember} ${member.name}`}
                  onClick={() => void removeMember(member)}
                >
                  <X aria-hidden />
                </IconButton>
              )}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
