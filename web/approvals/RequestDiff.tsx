import { useRead } from "../api.ts";
import { textAttributesOf } from "../sops/direction.ts";
import { Article } from "../sops/view/Article.tsx";
import { DiffView } from "../sops/diff/DiffView.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { MountObserver } from "../ui/MountObserver.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import type { ListedApproval } from "./approval-words.ts";
import { pendingTexts as texts } from "./texts.ts";
import type { useSubmittedTextStatus } from "./use-submitted-text-status.ts";

interface RequestDiffProps {
  request: ListedApproval;
  text: ReturnType<typeof useSubmittedTextStatus>;
  /** Called with true when the text appears on screen and with false when it goes. */
  onShown(isShown: boolean): void;
}

/** The changes of a request for readers, or the whole text if the SOP was never published. */
export function RequestDiff({ request: { sopId, version }, text, onShown }: RequestDiffProps) {
  if (text.base) return <DiffView sopId={sopId} from={text.base} to={version} onShown={onShown} />;
  if (text.base === null) {
    return (
      <>
        <p className="mb-3 text-muted">{texts.first}</p>
        <SubmittedText sopId={sopId} version={version} onShown={onShown} />
      </>
    );
  }
  return text.hasFailed ? <ErrorState title={texts.textFailed({ version })} onRetry={text.retry} /> : <PageSpinner />;
}

interface SubmittedTextProps {
  sopId: string;
  version: number;
  /** Called with true when the text appears on screen and with false when it goes. */
  onShown(isShown: boolean): void;
}

/** The whole submitted text. If the latest version is another one, the user sees an error and can load again. */
export function SubmittedText({ sopId, version, onShown }: SubmittedTextProps) {
  const { data: sop, isFetching, refetch } = useRead("sops", "get", { params: { id: sopId } }, { still: true });
  if (sop?.version !== version) {
    return isFetching ? (
      <PageSpinner />
    ) : (
      <ErrorState title={texts.textFailed({ version })} onRetry={() => void refetch()} />
    );
  }
  const attributes = textAttributesOf(sop);
  return (
    <>
      <p {...attributes} className="mb-4 text-muted">
        {sop.description}
      </p>
      <Article html={sop.content} {...attributes} isWhole />
      <MountObserver onChange={onShown} />
    </>
  );
}
