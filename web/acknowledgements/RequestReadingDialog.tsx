import { useState, type FormEvent, type ReactNode } from "react";
import { limits } from "#core/limits.ts";
import type { Sop } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { errorMessageOf, useRead, useWrite } from "../api.ts";
import { useMe } from "../session.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { useToast } from "../ui/Toast.tsx";
import { useInvite } from "../users/use-invite.tsx";
import { AudiencePicker } from "./AudiencePicker.tsx";
import type { Confirmations } from "./ConfirmationProgress.tsx";
import { readingRequestTexts as texts } from "./texts.ts";

interface RequestReadingDialogProps {
  sop: Pick<Sop, "id" | "title">;
  ask: Confirmations["ask"];
  onClose(): void;
}

const formId = "acknowledgement-ask";
const compareNames = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

/**
 * Asks who has to confirm and in how many days. The company's setting is the default. Choosing people or teams replaces
 * the choice of all readers.
 */
export function RequestReadingDialog({ sop, ask, onClose }: RequestReadingDialogProps) {
  const store = useReadingRequestWriter(sop.id, onClose);
  const people = useRead("users", "list", {});
  const invite = useInvite("viewer", () => void people.refetch());
  const [all, setAll] = useState(ask?.everyone ?? false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    new Set([...(ask?.teamIds ?? []).map((id) => `team:${id}`), ...(ask?.userIds ?? []).map((id) => `user:${id}`)]),
  );
  const { readingDays } = useMe().company;
  // An empty text means no due date.
  const [days, setDays] = useState(String((ask ? ask.dueDays : readingDays) ?? ""));
  const [isTried, setTried] = useState(false);
  const areDaysWrong = days.trim() !== "" && !isValidDueDayCount(Number(days));

  const sendRequest = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (areDaysWrong) return;
    const chosenIds = (kind: string) =>
      [...chosen].flatMap((key) => (key.startsWith(kind) ? key.slice(kind.length) : []));
    const audience = all ? { everyone: true } : { userIds: chosenIds("user:"), teamIds: chosenIds("team:") };
    const dueDays = days.trim() === "" ? null : Number(days);
    void store.save({ ...audience, dueDays }, ask ? texts.saved : texts.asked);
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={texts.title}
      description={texts.description}
      footer={
        <>
          {ask && (
            <Button
              variant="ghost"
              className="mr-auto"
              busy={store.busy}
              onClick={() => void store.save({}, texts.stopped)}
            >
              {texts.stop}
            </Button>
          )}
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" form={formId} variant="primary" disabled={!all && chosen.size === 0} busy={store.busy}>
            {ask ? texts.save : texts.title}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={sendRequest} noValidate className="grid gap-5">
        {store.failure !== null && (
          <Alert tone="destructive" live>
            {store.failure}
          </Alert>
        )}
        <AudienceChoices
          all={all}
          onAll={setAll}
          chosen={chosen}
          onChoose={(next) => {
            setAll(false);
            setChosen(next);
          }}
          invite={invite.action}
        />
        <Field
          label={texts.days}
          optional
          hint={texts.daysHint}
          error={isTried && areDaysWrong ? texts.daysWrong : undefined}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              className="max-w-28"
              value={days}
              onChange={(event) => setDays(event.target.value)}
            />
          )}
        </Field>
      </form>
      {invite.dialog}
    </Dialog>
  );
}

function isValidDueDayCount(days: number): boolean {
  return Number.isInteger(days) && days >= 1 && days <= limits.dueDays;
}

/**
 * Returns a function that stores who has to read the SOP, shows the toast `done` and closes the dialog. A failure stays
 * in `failure`.
 */
function useReadingRequestWriter(id: string, onClose: () => void) {
  const toast = useToast();
  const write = useWrite("acknowledgements", "ask");
  const [failure, setFailure] = useState<string | null>(null);
  type Body = NonNullable<Parameters<typeof write.mutateAsync>[0]["body"]>;
  return {
    busy: write.isPending,
    failure,
    async save(body: Body, done: string): Promise<void> {
      try {
        await write.mutateAsync({ params: { id }, body });
        toast({ title: done });
        onClose();
      } catch (error) {
        setFailure(errorMessageOf(error, texts.failed));
      }
    },
  };
}

interface AudienceChoicesProps {
  all: boolean;
  onAll(all: boolean): void;
  chosen: ReadonlySet<string>;
  onChoose(chosen: ReadonlySet<string>): void;
  invite: ReactNode;
}

function AudienceChoices({ all, onAll, chosen, onChoose, invite }: AudienceChoicesProps) {
  const people = useRead("users", "list", {});
  const teams = useRead("teams", "list", {});
  const failed = people.isError ? people : teams.isError ? teams : null;
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 text-sm font-medium">{texts.audience}</legend>
      <label className="flex items-start gap-2.5 text-sm">
        <input
          type="checkbox"
          checked={all}
          onChange={(event) => onAll(event.target.checked)}
          className="mt-0.5 size-4 shrink-0 accent-primary"
        />
        <span>
          {texts.everyone}
          <span className="block text-xs text-muted">{texts.everyoneHint}</span>
        </span>
      </label>
      {failed ? (
        <ErrorState title={texts.loadFailed} onRetry={() => void failed.refetch()} />
      ) : !people.data || !teams.data ? (
        <output className="flex h-80 items-center gap-2 text-muted">
          <Spinner />
          {texts.loading}
        </output>
      ) : (
        <AudiencePicker
          teams={teams.data.map(({ id, name }) => ({ key: `team:${id}`, name })).toSorted(compareNames)}
          people={people.data
            .map((person) => ({ key: `user:${person.id}`, name: printedName(person) }))
            .toSorted(compareNames)}
          chosen={all ? nobodyChosen : chosen}
          onChoose={onChoose}
        />
      )}
      {invite}
    </fieldset>
  );
}

const nobodyChosen: ReadonlySet<string> = new Set();
