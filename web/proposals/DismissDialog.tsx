import { useState } from "react";
import { limits } from "#core/limits.ts";
import type { Proposal } from "#core/proposals/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { errorMessageOf, useWrite } from "../api.ts";
import { Field } from "../ui/Field.tsx";
import { FormDialog } from "../ui/FormDialog.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import { useToast } from "../ui/Toast.tsx";
import { useMe } from "../session.tsx";
import { texts } from "./texts.ts";

export function DismissDialog({ proposal, onClose }: { proposal: Proposal; onClose(): void }) {
  const { id, author } = proposal;
  const [reason, setReason] = useState("");
  const [isTried, setTried] = useState(false);
  const dismiss = useWrite("proposals", "dismiss");
  const toast = useToast();
  const me = useMe();
  const isMissing = isTried && reason.trim() === "";
  return (
    <FormDialog
      title={texts.dismissTitle}
      description={author.id === me.id ? texts.dismissOwn : texts.dismissText({ name: printedName(author) })}
      submitLabel={texts.dismiss}
      busy={dismiss.isPending}
      error={dismiss.error ? errorMessageOf(dismiss.error, texts.decideFailed) : undefined}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (reason.trim() === "") return;
        dismiss.mutate(
          { params: { id }, body: { reason } },
          {
            onSuccess: () => {
              toast({ title: texts.dismissed });
              onClose();
            },
          },
        );
      }}
      onClose={onClose}
    >
      <Field label={texts.reason} error={isMissing ? texts.reasonMissing : undefined}>
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            required
            maxLength={limits.noteCharacters}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
