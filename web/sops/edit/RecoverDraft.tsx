/** Shows the unsaved draft of an SOP that can't be edited anymore, and a button to create a new SOP from it. */
import { useEffect, useState, type ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { newId } from "#core/ids.ts";
import { draftKeyPrefix, type FoundDraft } from "#core/sops/editing.ts";
import { formValuesForCopy } from "#core/sops/form-values.ts";
import { useMay, useMe } from "../../session.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { timeAgo } from "../../ui/time.ts";
import { loadAndPruneDrafts, deleteDraft, storeEditDraft } from "./edit-draft.ts";
import { texts } from "./edit-texts.ts";

export function RecoverDraft({ sopId }: { sopId: string }) {
  const me = useMe();
  const may = useMay();
  const navigate = useNavigate();
  const [found, setFound] = useState<FoundDraft | null>(null);
  useEffect(() => {
    void loadAndPruneDrafts(draftKeyPrefix(me.id, sopId)).then(([newest]) => setFound(newest ?? null));
  }, [me.id, sopId]);
  if (!found || !may("sop.create")) return null;
  const createFromDraft = async (): Promise<void> => {
    const { key, values, ...draft } = found;
    const isKept = await storeEditDraft(`${draftKeyPrefix(me.id, null)}/${newId()}`, {
      ...draft,
      values: formValuesForCopy(values),
      baseVersion: null,
    });
    if (!isKept) return;
    await deleteDraft(key);
    void navigate("/sop/new");
  };
  return (
    <UnsavableAlert title={texts.draftTitle} onCreate={() => void createFromDraft()}>
      {texts.fromKeptInThis({ savedAt: timeAgo(found.savedAt) })} {texts.unsavableText}
    </UnsavableAlert>
  );
}

/** @param onCreate creates a new SOP from the draft; null without that permission */
export function UnsavableAlert(props: { title: string; children: ReactNode; onCreate: (() => void) | null }) {
  const { title, children, onCreate } = props;
  return (
    <Alert
      tone="warning"
      live
      title={title}
      {...(onCreate && {
        actions: (
          <Button size="sm" onClick={onCreate}>
            {texts.createFromDraft}
          </Button>
        ),
      })}
    >
      {children}
    </Alert>
  );
}
