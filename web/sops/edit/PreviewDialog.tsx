import { useQuery } from "@tanstack/react-query";
import type { SopForm } from "#core/sops/schema.ts";
import { errorMessageOf, useClient } from "../../api.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { ErrorState } from "../../ui/EmptyState.tsx";
import { LoadingMessage } from "../../ui/LoadingMessage.tsx";
import { textAttributesOf } from "../direction.ts";
import { Article } from "../view/Article.tsx";
import { texts } from "./edit-texts.ts";

interface PreviewDialogProps extends Pick<SopForm, "lang" | "title" | "description" | "markdown"> {
  onClose(): void;
}

export function PreviewDialog({ lang, title, description, markdown, onClose }: PreviewDialogProps) {
  const client = useClient();
  const attributes = textAttributesOf({ lang, title, markdown });
  const preview = useQuery({
    queryKey: ["preview", markdown],
    // The server renders the preview, so that it is exactly what readers will see.
    queryFn: ({ signal }) => client.sops.preview({ body: { markdown }, signal }),
    gcTime: 0,
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="wide"
      title={texts.previewTitle}
      description={texts.previewHint}
    >
      <div className="mx-auto grid max-w-[68ch] grid-cols-[minmax(0,1fr)] gap-6 pt-3">
        <div {...attributes}>
          <p className="text-2xl font-semibold tracking-tight">{title}</p>
          {description && <p className="mt-1 text-base text-muted">{description}</p>}
        </div>
        {preview.isPending && <LoadingMessage>{texts.previewLoading}</LoadingMessage>}
        {preview.isError && (
          <ErrorState
            title={texts.previewFailed}
            detail={errorMessageOf(preview.error, texts.previewUnreachable)}
            onRetry={() => void preview.refetch()}
          />
        )}
        {preview.data !== undefined && <Article html={preview.data.content} {...attributes} />}
      </div>
    </Dialog>
  );
}
