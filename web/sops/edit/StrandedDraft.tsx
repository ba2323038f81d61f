/** Where an SOP can't be edited any more: what was typed for it before, and a way on for it. */
import { useEffect, useState, type ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { newId } from "#core/ids.ts";
import { draftPlace, type FoundDraft } from "#core/sops/editing.ts";
import { asNew } from "#core/sops/form-values.ts";
import { useMay, useMe } from "../../session.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { timeAgo } from "../../ui/time.ts";
import { draftsOf, dropDraft, writeDraft } from "./edit-draft.ts";
import { texts } from "./edit-texts.ts";

export function StrandedDraft({ sopId }: { sopId: string }) {
  const me = useMe();
  const may = useMay();
  const navigate = useNavigate();
  const [found, setFound] = useState<FoundDraft | null>(null);
  useEffect(() => {
    void draftsOf(draftPlace(me.id, sopId)).then(([newest]) => setFound(newest ?? null));
  }, [me.id, sopId]);
  if (!found || !may("sop.create")) return null;
  const takeAlong = async (): Promise<void> => {
    const { key, values, ...draft } = found;
    const isKept = await writeDraft(`${draftPlace(me.id, null)}/${newId()}`, {
      ...draft,
      values: asNew(values),
      baseVersion: null,
    });
    if (!isKept) return;
    await dropDraft(key);
    void navigate("/sop/new");
  };
  return (
    <Stranded title={texts.draftTitle} onTaken={() => void takeAlong()}>
      {`From ${timeAgo(found.savedAt)}, kept in this browser.`} {texts.strandedText}
    </Stranded>
  );
}

/** @param onTaken begins a new SOP with it; null for who may not */
export function Stranded(props: { title: string; children: ReactNode; onTaken: (() => void) | null }) {
  const { title, children, onTaken } = props;
  return (
    <Alert
      tone="warning"
      live
      title={title}
      {...(onTaken && {
        actions: (
          <Button size="sm" onClick={onTaken}>
            {texts.takeAlong}
          </Button>
        ),
      })}
    >
      {children}
    </Alert>
  );
}
