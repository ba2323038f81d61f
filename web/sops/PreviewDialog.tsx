import { useQuery } from "@tanstack/react-query";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { Article } from "./Article.tsx";
import { texts } from "./edit-texts.ts";
import { Waiting } from "./VersionHistory.tsx";

interface PreviewDialogProps {
  title: string;
  description: string;
  markdown: string;
  onClose(): void;
}

export function PreviewDialog({ title, description, markdown, onClose }: PreviewDialogProps) {
  const preview = useQuery({
    queryKey: ["preview", markdown],
    queryFn: () => import("./edit-preview.ts").then((module) => module.previewHtml(markdown)),
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
      <div className="mx-auto grid max-w-[68ch] gap-4 border-t border-line pt-6">
        <div>
          <p className="text-2xl font-semibold tracking-tight break-words">{title}</p>
          {description && <p className="mt-1 text-base text-muted">{description}</p>}
        </div>
        {preview.isPending && <Waiting>{texts.previewLoading}</Waiting>}
        {preview.isError && <ErrorState title={texts.previewFailed} />}
        {preview.data !== undefined && <Article html={preview.data} />}
      </div>
    </Dialog>
  );
}
