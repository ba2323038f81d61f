import { useRead } from "../api.ts";
import { textAttributesOf } from "../sops/direction.ts";
import { Article } from "../sops/view/Article.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { texts } from "./texts.ts";

interface TemplatePreviewProps {
  id: string;
  title: string;
  onClose(): void;
}

/** The text of a template, before a draft is made of it. */
export function TemplatePreview({ id, title, onClose }: TemplatePreviewProps) {
  const { data, isError, refetch } = useRead("templates", "get", { params: { id } });
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      {data ? (
        <Article html={data.content} {...textAttributesOf(data)} />
      ) : isError ? (
        <ErrorState title={texts.previewFailed} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Dialog>
  );
}
