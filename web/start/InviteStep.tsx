import { X } from "lucide-react";
import { useState } from "react";
import { linkForOthers } from "#core/export/other-devices.ts";
import { emailAddressesIn } from "#core/invitations/addresses.ts";
import { invitationDays } from "#core/invitations/rules.ts";
import { roleSummaries } from "../permissions/role-summaries.ts";
import { assignableRoles, roleLabel, type Role } from "#core/permissions/roles.ts";
import { initialsOf } from "#core/users/rules.ts";
import { errorMessageOf, useWrite } from "../api.ts";
import { useMe, useInvitationUnsentReason } from "../session.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Avatar } from "../ui/Avatar.tsx";
import { CopyField } from "../ui/CopyField.tsx";
import { Field } from "../ui/Field.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Select } from "../ui/Select.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import { Step } from "./Step.tsx";
import { texts } from "./texts.ts";

interface SentInvitation {
  address: string;
  role: Role;
  /** True if this link replaces an earlier one, which no longer works. */
  isReplacement: boolean;
  /** A link that the inviter has to pass on; null if the server emailed it. */
  link: string | null;
}

const isSameEmailAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

export function InviteStep({ onDone }: { onDone(): void }) {
  const me = useMe();
  const unsent = useInvitationUnsentReason();
  const create = useWrite("invitations", "create");
  const [pasted, setPasted] = useState("");
  const [roles, setRoles] = useState<Readonly<Record<string, Role>>>({});
  const [roleForAll, setRoleForAll] = useState<Role>("viewer");
  const [sent, setSent] = useState<readonly SentInvitation[]>([]);
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const { addresses, unreadable } = emailAddressesIn(pasted);
  const roleOf = (address: string) => roles[address] ?? roleForAll;
  const assignable = assignableRoles(me.role);
  const forAll = assignable.map((value) => ({ value, label: texts.all({ role: roleLabel(value) }) }));
  const options = assignable.map((value) => ({
    value,
    label: texts.roleSummaries({ role: roleLabel(value), does: roleSummaries[value] }),
  }));
  const removeAddress = (address: string) =>
    setPasted([...addresses.filter((one) => one !== address), ...unreadable].join(", "));

  const invite = async () => {
    setBusy(true);
    const done: SentInvitation[] = [];
    const failed: Record<string, string> = {};
    for (const address of addresses) {
      try {
        const body = { email: address, role: roleOf(address) };
        const { link, unsent: why, replaced } = await create.mutateAsync({ body });
        done.push({
          address,
          role: body.role,
          isReplacement: replaced ?? false,
          link: why === undefined ? null : link,
        });
      } catch (error) {
        failed[address] = errorMessageOf(error, texts.failed);
      }
    }
    setBusy(false);
    // A second link to an address replaces the first one.
    setSent([
      ...sent.filter((before) => !done.some(({ address }) => isSameEmailAddress(address, before.address))),
      ...done,
    ]);
    setRefused(failed);
    // Addresses that couldn't be invited stay in the field.
    setPasted([...Object.keys(failed), ...unreadable].join(", "));
    if (Object.keys(failed).length + unreadable.length === 0 && done.every(({ link }) => link === null)) onDone();
  };

  const problems = [
    ...(unreadable.length > 0 ? [texts.unreadable({ words: unreadable.join(", ") })] : []),
    ...addresses.flatMap((address) => {
      const why = refused[address];
      return why === undefined ? [] : [texts.notInvited({ address, why })];
    }),
  ].join(". ");
  const links = sent.flatMap(({ link, ...one }) => (link === null ? [] : [{ ...one, link }]));
  const isDone = sent.length > 0 && addresses.length === 0;
  return (
    <Step
      at={3}
      title={texts.inviteTitle}
      text={texts.inviteText}
      next={isDone ? texts.finish : texts.invite({ count: addresses.length })}
      busy={busy}
      disabled={!isDone && addresses.length === 0}
      onNext={() => (isDone ? onDone() : void invite())}
      {...(!isDone && { onSkip: onDone })}
    >
      {sent.length > 0 && (
        <Alert tone="success" live title={texts.invited({ count: sent.length })}>
          {links.length > 0 && (unsent ? texts.unsent[unsent] : texts.sendLinks)}
        </Alert>
      )}
      {links.map(({ address, role, link, isReplacement }) => (
        <CopyField
          key={link}
          label={texts.linkOf({ address, role: roleLabel(role) })}
          {...(isReplacement && { hint: texts.replaced })}
          value={linkForOthers(window.location, link).href}
          copiedStatus={texts.copied}
          className=""
        />
      ))}
      <Field
        label={texts.addresses}
        hint={sent.length === 0 && unsent ? texts.unsent[unsent] : undefined}
        error={problems || undefined}
      >
        {(control) => (
          <Textarea {...control} rows={2} value={pasted} onChange={(event) => setPasted(event.target.value)} />
        )}
      </Field>
      {addresses.length > 0 && (
        <section aria-label={texts.people({ count: addresses.length })}>
          <div className="flex items-center justify-between gap-3 border-b border-line pb-1">
            <h2 className="text-sm font-semibold">{texts.people({ count: addresses.length })}</h2>
            <Select
              quiet
              aria-label={texts.roleForAll}
              options={forAll}
              value={roleForAll}
              onChange={(event) => {
                setRoleForAll(event.target.value as Role);
                setRoles({});
              }}
            />
          </div>
          <ul className="divide-y divide-line border-b border-line">
            {addresses.map((address) => (
              <li key={address} className="flex flex-wrap items-center gap-3 py-1.5 text-sm">
                <Avatar initials={initialsOf(address.split("@")[0] ?? "")} size="sm" />
                <span className="min-w-0 flex-1 basis-40 wrap-anywhere">{address}</span>
                <Select
                  aria-label={texts.roleOf({ address })}
                  className="w-52 max-sm:order-last max-sm:ml-9 max-sm:basis-full"
                  options={options}
                  value={roleOf(address)}
                  onChange={(event) => setRoles({ ...roles, [address]: event.target.value as Role })}
                />
                <IconButton label={texts.remove({ address })} size="sm" onClick={() => removeAddress(address)}>
                  <X aria-hidden />
                </IconButton>
              </li>
            ))}
          </ul>
          <p className="mt-6 text-t2 text-muted">{texts.linkDays({ days: invitationDays.default })}</p>
        </section>
      )}
    </Step>
  );
}
