import { CircleCheck, CircleX, Clock, TimerOff, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { assignableRoles, roleLabel } from "#core/permissions/roles.ts";
import { errorMessageOf, useWrite, type Output } from "../api.ts";
import { useMe } from "../session.tsx";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { Badge, type BadgeTone } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { DataTable, type Column } from "../ui/DataTable.tsx";
import { boundaryText } from "../ui/time.ts";
import { useToast } from "../ui/Toast.tsx";
import { usePages } from "../use-pages.ts";
import { Section } from "../ui/Section.tsx";
import { invitationTexts as texts } from "./invitation-texts.ts";

type ListedInvitation = Output<"invitations", "list">["data"][number];

/** Lists links by which people can join the company. */
export function Invitations() {
  const { role } = useMe();
  const list = usePages("invitations", {}, 20);
  const [revoked, setRevoked] = useState<ListedInvitation | null>(null);
  const mayRevoke = (invitation: ListedInvitation) => assignableRoles(role).includes(invitation.role);
  // Without invitations, nothing is shown.
  if (!list.hasFailed && list.rows.length === 0) return null;
  return (
    <Section title={texts.title}>
      <DataTable
        list={list}
        columns={invitationColumns(mayRevoke, setRevoked)}
        isMuted={({ state }) => state !== "pending"}
        texts={{
          label: texts.list,
          loading: texts.loading,
          failed: texts.loadFailed,
          count: (rows, hasMore) => (hasMore ? texts.countMore({ rows }) : texts.count({ rows })),
        }}
        empty={null}
      />
      <RevokeInvitationDialog invitation={revoked} onClose={() => setRevoked(null)} />
    </Section>
  );
}

const states: Record<ListedInvitation["state"], { icon: LucideIcon; tone: BadgeTone }> = {
  pending: { icon: Clock, tone: "primary" },
  used: { icon: CircleCheck, tone: "success" },
  revoked: { icon: CircleX, tone: "neutral" },
  expired: { icon: TimerOff, tone: "neutral" },
};

function invitationColumns(
  mayRevoke: (one: ListedInvitation) => boolean,
  revoke: (one: ListedInvitation) => void,
): Column<ListedInvitation>[] {
  const { columns } = texts;
  return [
    {
      header: columns.who,
      isName: true,
      cell: ({ email }) => <span className="font-medium wrap-anywhere">{email ?? texts.anybody}</span>,
    },
    { header: columns.role, cell: ({ role }) => roleLabel(role) },
    {
      header: columns.state,
      cell: ({ state, usedByName }) => {
        const { icon: Icon, tone } = states[state];
        return (
          <span className="flex flex-wrap items-center gap-1.5">
            <Badge tone={tone}>
              <Icon aria-hidden />
              {texts.states[state]}
            </Badge>
            {usedByName !== null && <span>{texts.usedBy({ name: usedByName })}</span>}
          </span>
        );
      },
    },
    { header: columns.invitedBy, isLabelled: true, cell: ({ invitedByName }) => invitedByName },
    {
      header: columns.expires,
      isLabelled: true,
      cell: ({ expiresAt }) => <span className="whitespace-nowrap">{boundaryText(expiresAt)}</span>,
    },
    {
      header: columns.actions,
      isMenu: true,
      cell: (invitation) =>
        invitation.state === "pending" &&
        mayRevoke(invitation) && (
          <Button
            size="sm"
            variant="ghost"
            aria-label={texts.revokeLabel({ who: invitation.email ?? texts.anybody })}
            onClick={() => revoke(invitation)}
          >
            {texts.revoke}
          </Button>
        ),
    },
  ];
}

function RevokeInvitationDialog({ invitation, onClose }: { invitation: ListedInvitation | null; onClose(): void }) {
  const revoke = useWrite("invitations", "revoke");
  const toast = useToast();
  const confirm = async (): Promise<void> => {
    if (!invitation) return;
    try {
      await revoke.mutateAsync({ params: { id: invitation.id } });
      toast({ title: texts.revoked });
    } catch (error) {
      toast({ title: texts.error, description: errorMessageOf(error, texts.actionFailed), variant: "destructive" });
    }
    onClose();
  };
  return (
    <AlertDialog
      open={invitation !== null}
      onOpenChange={onClose}
      title={texts.revokeAsk}
      description={texts.revokeText}
      confirm={texts.revoke}
      cancel={texts.cancel}
      destructive
      busy={revoke.isPending}
      onConfirm={() => void confirm()}
    />
  );
}
