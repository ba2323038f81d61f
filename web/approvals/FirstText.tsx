import { useRead } from "../api.ts";
import { Article } from "../sops/Article.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { OnScreen } from "../ui/OnScreen.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { pendingTexts } from "./texts.ts";

interface FirstTextProps {
  sopId: string;
  version: number;
  /** Told while the text is before whoever looks. */
  onShown(isShown: boolean): void;
}

/** What is to be approved where there is nothing to compare it with: the whole text, if it is still that version. */
export function FirstText({ sopId, version, onShown }: FirstTextProps) {
  const { data: sop, isFetching, refetch } = useRead("sops", "get", { params: { id: sopId } }, { still: true });
  if (sop?.version !== version) {
    return isFetching ? (
      <PageSpinner />
    ) : (
      <ErrorState title={pendingTexts.textFailed(version)} onRetry={() => void refetch()} />
    );
  }
  return (
    <Card className="p-4">
      <p className="mb-4 text-muted">{sop.description}</p>
      <Article html={sop.content} />
      <OnScreen onChange={onShown} />
    </Card>
  );
}
