import { Check } from "lucide-react";
import { useState } from "react";
import { useRead, type Output } from "../api.ts";
import { textAttributesOf } from "../sops/direction.ts";
import { Article } from "../sops/view/Article.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { LoadingMessage } from "../ui/LoadingMessage.tsx";
import { texts } from "./texts.ts";
import { useConfirmReading } from "./use-acknowledgements.ts";

interface PublishedTextDialogProps {
  sopId: string;
  published: NonNullable<Output<"acknowledgements", "get">["inForce"]>;
  onConfirmed(): void;
  onClose(): void;
}

/** Shows the whole published version to users who see a draft, with the button to confirm reading that version. */
export function PublishedTextDialog({ sopId, published, onConfirmed, onClose }: PublishedTextDialogProps) {
  const { version, contentHash } = published;
  const confirm = useConfirmReading(sopId, onConfirmed);
  const read = useRead("sops", "get", { params: { id: sopId }, query: { view: "published" } });
  const [article, setArticle] = useState<HTMLElement | null>(null);
  const sop = read.data;
  const isShown = sop?.version === version && (article !== null || sop.content.trim() === "");
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={sop ? <bdi>{sop.title}</bdi> : texts.versionAlone({ version })}
      {...(sop && { description: texts.versionAlone({ version: sop.version }) })}
      footer={
        <Button
          variant="primary"
          disabled={!isShown}
          busy={confirm.busy}
          onClick={() => void confirm.send({ version, contentHash })}
        >
          <Check aria-hidden />
          {texts.iHaveReadVersion({ version })}
        </Button>
      }
    >
      {sop ? (
        <>
          <p dir="auto" className="mb-4 text-muted">
            {sop.description}
          </p>
          <Article html={sop.content} {...textAttributesOf(sop)} onShown={setArticle} isWhole />
        </>
      ) : read.isError ? (
        <ErrorState title={texts.versionFailed} onRetry={() => void read.refetch()} />
      ) : (
        <LoadingMessage>{texts.versionLoading}</LoadingMessage>
      )}
    </Dialog>
  );
}
