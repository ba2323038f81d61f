import { DiffView } from "../sops/DiffView.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import type { Approval } from "./approval-words.ts";
import { FirstText } from "./FirstText.tsx";
import { pendingTexts as texts } from "./texts.ts";
import type { useVersionText } from "./use-version-text.ts";

interface RequestChangesProps {
  request: Approval;
  text: ReturnType<typeof useVersionText>;
  /** Called as the text comes on the screen, and as it goes. */
  onShown(isShown: boolean): void;
}

/** What a request changes for readers; of an SOP that was never published, the whole text. */
export function RequestChanges({ request: { sopId, version }, text, onShown }: RequestChangesProps) {
  if (text.base) return <DiffView sopId={sopId} from={text.base} to={version} onShown={onShown} />;
  if (text.base === null) {
    return (
      <>
        <p className="mb-3 text-muted">{texts.first}</p>
        <FirstText sopId={sopId} version={version} onShown={onShown} />
      </>
    );
  }
  return text.hasFailed ? <ErrorState title={texts.textFailed(version)} onRetry={text.retry} /> : <PageSpinner />;
}
