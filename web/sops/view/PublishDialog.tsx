/** The one question before a version reaches readers: it shows what changes for them. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Sop } from "#core/sops/schema.ts";
import { keyOf, messageOf, useRead, useWrite } from "../../api.ts";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { MountObserver } from "../../ui/MountObserver.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { dayText } from "../../ui/time.ts";
import { Article } from "./Article.tsx";
import { daysTo } from "./control-texts.ts";
import { DiffView } from "../diff/DiffView.tsx";

const texts = {
  title: (version: number) => `Publish version ${version}?`,
  now: "Readers see it right away.",
  from: (day: string) => `Readers see it from ${day} on.`,
  changes: "What changes for readers",
  first: "Readers see this SOP for the first time.",
  again: (version: number) => `Readers see this SOP again. They last saw version ${version}.`,
  publish: "Publish",
  cancel: "Cancel",
  newer: (name: string, version: number) => `${name} saved version ${version}`,
  newerText: "Check it before you publish.",
  showNewer: (version: number) => `Show version ${version}`,
  done: "SOP published",
  scheduled: (day: string) => `SOP scheduled for ${day}`,
  failed: "Couldn't publish the SOP. Try again.",
} as const;

interface PublishDialogProps {
  /** The version to publish: the latest, as the user saw it. */
  sop: Sop;
  onPublished?: ((sop: Sop) => void) | undefined;
  /** Called after publishing, too. */
  onClose(): void;
}

export function PublishDialog({ sop: opened, onPublished, onClose }: PublishDialogProps) {
  const toast = useToast();
  const queryClient = useQueryClient();
  const [sop, setSop] = useState(opened);
  const params = { id: sop.id };
  const latest = useRead("sops", "get", { params }).data;
  const publish = useWrite("sops", "publish");
  const [isShown, setShown] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const newer = latest && latest.version > sop.version ? latest : null;

  const confirm = async (): Promise<void> => {
    setRefusal(null);
    try {
      const published = await publish.mutateAsync({ params, ifMatch: sop.version, body: {} });
      queryClient.setQueryData(keyOf("sops", "get", { params }), published);
      const waits = published.scheduled?.effectiveAt;
      toast({ title: waits ? texts.scheduled(dayText(waits.slice(0, 10))) : texts.done });
      onPublished?.(published);
      onClose();
    } catch (error) {
      setRefusal(messageOf(error, texts.failed));
      // another version, or another status, may be the reason
      void queryClient.invalidateQueries({ queryKey: keyOf("sops", "get", { params }) });
    }
  };
  const { effective } = sop.control;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="wide"
      title={texts.title(sop.version)}
      description={`${sop.title}. ${effective !== null && daysTo(effective) > 0 ? texts.from(dayText(effective)) : texts.now}`}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            variant="primary"
            disabled={!isShown || newer !== null}
            busy={publish.isPending}
            onClick={(event) => event.detail < 2 && void confirm()}
          >
            {texts.publish}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {refusal && (
          <Alert tone="destructive" live>
            {refusal}
          </Alert>
        )}
        {newer && (
          <Alert
            tone="warning"
            live
            title={texts.newer(newer.control.changedBy.name, newer.version)}
            actions={
              <Button
                size="sm"
                onClick={() => {
                  setRefusal(null);
                  setSop(newer);
                }}
              >
                {texts.showNewer(newer.version)}
              </Button>
            }
          >
            {texts.newerText}
          </Alert>
        )}
        <section aria-labelledby="publish-changes" className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <h2 id="publish-changes" className="font-semibold">
            {texts.changes}
          </h2>
          <Changes key={sop.version} sop={sop} onShown={setShown} />
        </section>
      </div>
    </Dialog>
  );
}

/** Against what readers have now, or had last; without either, the whole text. */
function Changes({ sop, onShown }: { sop: Sop; onShown(isShown: boolean): void }) {
  const last = sop.published ? null : sop.control.lastInForce;
  const from = sop.published?.version ?? last;
  return (
    <>
      {from === null && <p className="text-muted">{texts.first}</p>}
      {last !== null && <p className="text-muted">{texts.again(last)}</p>}
      {from === null || from === sop.version ? (
        <div className="rounded-md border border-line px-4 py-3">
          <p className="mb-3 text-muted">{sop.description}</p>
          <Article html={sop.content} />
          <MountObserver onChange={onShown} />
        </div>
      ) : (
        <DiffView sopId={sop.id} from={from} to={sop.version} onShown={onShown} />
      )}
    </>
  );
}
