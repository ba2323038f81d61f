/** Sets who can read and change one SOP in addition to roles: link, access for people and teams, restriction. */
import { useQueryClient } from "@tanstack/react-query";
import { UsersRound } from "lucide-react";
import { useId, useRef, useState, type FormEvent, type RefObject } from "react";
import { grantLevels, type GrantLevel } from "#core/permissions/actor.ts";
import { roles } from "#core/permissions/roles.ts";
import type { Sop } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { queryKeyOf, useRead, useWrite, type Output } from "../api.ts";
import { useMe, type SopLike } from "../session.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { CopyField } from "../ui/CopyField.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { Field } from "../ui/Field.tsx";
import { Select, type SelectOption } from "../ui/Select.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { useToast } from "../ui/Toast.tsx";
import { useInvite } from "../users/use-invite.tsx";
import { ShareAddress } from "./ShareAddress.tsx";
import { RestrictSwitch } from "./RestrictSwitch.tsx";
import { levelHints, levelNames, shareTexts as texts } from "./texts.ts";
import { useErrorToast } from "./use-error-toast.ts";
import { useSharedLink } from "./use-shared-link.ts";
import { listText } from "#core/language/formats.ts";

type SopAccess = Output<"sops", "permissions">;
type ListedGrant = SopAccess["permissions"][number];

type SharedSop = SopLike & Pick<Sop, "id" | "title" | "number">;

interface ShareDialogProps {
  sop: SharedSop;
  onClose(): void;
}

export function ShareDialog({ sop, onClose }: ShareDialogProps) {
  const params = { id: sop.id };
  const access = useRead("sops", "permissions", { params });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={texts.title}
      description={sop.title}
      footer={<Button onClick={onClose}>{texts.close}</Button>}
    >
      <div className="grid gap-6">
        <LinkField id={sop.id} />
        <ShareAddress sop={sop} />
        {access.data ? (
          <AccessSection sop={sop} access={access.data} />
        ) : access.isError ? (
          <ErrorState title={texts.failed} onRetry={() => void access.refetch()} />
        ) : (
          <output className="flex items-center gap-2 py-6 text-muted">
            <Spinner />
            {texts.loading}
          </output>
        )}
      </div>
    </Dialog>
  );
}

function LinkField({ id }: { id: string }) {
  const link = useSharedLink(`/sop/${id}`);
  return (
    <CopyField label={texts.linkLabel} hint={texts.linkHint} value={link} copiedStatus={texts.copied} className="" />
  );
}

function AccessSection({ sop, access }: { sop: SharedSop; access: SopAccess }) {
  const { id } = sop;
  const accept = useCacheAccess(id);
  const list = useRef<HTMLElement>(null);
  return (
    <>
      {access.mayRestrict ? (
        <RestrictSwitch sop={sop} access={access} accept={accept} />
      ) : (
        access.restricted && <Alert>{texts.restrictedNote}</Alert>
      )}
      {access.givable.length > 0 && <ShareForm id={id} access={access} />}
      <GrantList sop={sop} access={access} region={list} />
    </>
  );
}

/** Returns a function that caches who has access, which the server sends after each change. */
function useCacheAccess(id: string) {
  const queryClient = useQueryClient();
  return (access: SopAccess) => queryClient.setQueryData(queryKeyOf("sops", "permissions", { params: { id } }), access);
}

function useGrantees(): { options: SelectOption[]; isPending: boolean; reload(): void } {
  const people = useRead("users", "list", {});
  const teams = useRead("teams", "list", {});
  const options = [
    ...(teams.data ?? []).map(({ id, name }) => ({ value: `teamId:${id}`, label: name, group: texts.teams })),
    ...(people.data ?? []).map((person) => ({
      value: `userId:${person.id}`,
      label: printedName(person),
      group: texts.people,
    })),
  ];
  return { options, isPending: people.isPending || teams.isPending, reload: () => void people.refetch() };
}

function ShareForm({ id, access }: { id: string; access: SopAccess }) {
  const grantees = useGrantees();
  const invite = useInvite("viewer", grantees.reload);
  const grant = useWrite("sops", "grant");
  const accept = useCacheAccess(id);
  const toast = useToast();
  const refused = useErrorToast(texts.actionFailed);
  const [who, setWho] = useState("");
  const [level, setLevel] = useState<GrantLevel>("read");
  const share = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const [kind = "", grantee = ""] = who.split(":");
    if (!grantee) return;
    try {
      accept(await grant.mutateAsync({ params: { id }, body: { [kind]: grantee, permission: level } }));
      toast({ title: texts.given });
      setWho("");
    } catch (error) {
      refused(error);
    }
  };
  const levels = grantLevels.filter((one) => access.givable.includes(one));
  return (
    <>
      <form onSubmit={(event) => void share(event)} className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_12rem]">
        <Field label={texts.who}>
          {(control) => (
            <Select
              {...control}
              value={who}
              onChange={(event) => setWho(event.target.value)}
              options={grantees.options}
              placeholder={grantees.isPending ? texts.loading : texts.choose}
            />
          )}
        </Field>
        <Field label={texts.level}>
          {(control) => (
            <Select
              {...control}
              value={level}
              onChange={(event) => setLevel(event.target.value as GrantLevel)}
              options={levels.map((value) => ({ value, label: levelNames[value] }))}
            />
          )}
        </Field>
        <p className="text-xs text-muted sm:col-span-2">{levelHints[level]}</p>
        <div className="flex flex-wrap gap-2 sm:col-span-2">
          <Button type="submit" variant="primary" disabled={who === ""} busy={grant.isPending}>
            {texts.share}
          </Button>
          {invite.action}
        </div>
      </form>
      {invite.dialog}
    </>
  );
}

/** Returns `Everyone at Brackenfold`, or `Admins, managers, editors, and the owner, until it's published`. */
function readersText({ status }: SharedSop, { readers }: SopAccess, company: string): string {
  if (readers.length === roles.length) return texts.everyoneAt({ company });
  const lowest = readers.at(-1) === "company_admin" ? texts.companyAdmins : "admins";
  const names = readers.slice(2).filter((role) => role !== "admin");
  const all = [lowest, ...names.map((role) => `${role}s`), texts.owner];
  const text = listText(all);
  const isDraft = status === "draft" || status === "under_review";
  return text.charAt(0).toUpperCase() + text.slice(1) + (isDraft && names.length > 0 ? texts.untilPublished : "");
}

interface GrantListProps {
  sop: SharedSop;
  access: SopAccess;
  region: RefObject<HTMLElement | null>;
}

function GrantList({ sop, access, region }: GrantListProps) {
  const heading = useId();
  return (
    // The section takes the focus when a focused row disappears.
    <section ref={region} tabIndex={-1} aria-labelledby={heading} className="outline-none">
      <h3 id={heading} className="mb-1 font-semibold">
        {texts.listTitle}
      </h3>
      <p className="text-muted">{readersText(sop, access, useMe().company.name)}</p>
      {access.permissions.length > 0 && (
        <ul className="divide-y divide-line">
          {access.permissions.map((grant) => (
            <GrantRow key={grant.id} id={sop.id} grant={grant} onGone={() => region.current?.focus()} />
          ))}
        </ul>
      )}
    </section>
  );
}

function GrantRow({ id, grant, onGone }: { id: string; grant: ListedGrant; onGone(): void }) {
  const revoke = useWrite("sops", "revoke");
  const share = useWrite("sops", "grant");
  const accept = useCacheAccess(id);
  const toast = useToast();
  const refused = useErrorToast(texts.actionFailed);
  const undo = async (): Promise<void> => {
    const { userId, teamId, permission } = grant;
    try {
      const body = { ...(userId !== null ? { userId } : { teamId }), permission };
      accept(await share.mutateAsync({ params: { id }, body }));
      toast({ title: texts.given });
    } catch (error) {
      refused(error);
    }
  };
  const remove = async (): Promise<void> => {
    try {
      const access = await revoke.mutateAsync({ params: { id, permissionId: grant.id } });
      onGone();
      accept(access);
      toast({ title: texts.revoked, action: { label: texts.undo, onClick: () => void undo() } });
    } catch (error) {
      refused(error);
    }
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 font-medium">
          <span className="min-w-0">{grant.name}</span>
          {grant.teamId !== null && (
            <Badge tone="outline">
              <UsersRound aria-hidden />
              {texts.team}
            </Badge>
          )}
        </p>
        <p className="text-xs text-muted">
          {`${levelNames[grant.permission]} · ${texts.sharedBy({ name: grant.grantedBy.name })}`}
        </p>
      </div>
      <Button
        size="sm"
        variant="ghost"
        aria-label={`${texts.revoke} ${grant.name}`}
        busy={revoke.isPending}
        onClick={() => void remove()}
      >
        {texts.revoke}
      </Button>
    </li>
  );
}
