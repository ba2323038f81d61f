/** The state of a running request for proposed changes. The text can be edited at the same time. */
import { AiFailureNotice } from "../../ai/AiFailureNotice.tsx";
import { Button } from "../../ui/Button.tsx";
import { Spinner } from "../../ui/Spinner.tsx";
import { kinds, texts } from "./enhance-texts.ts";
import type { ImproveControls } from "./use-enhance.ts";

export function EnhanceNotices({ enhancing }: { enhancing: ImproveControls }) {
  const { running, failure } = enhancing;
  return (
    <>
      <output className="contents">
        {running && (
          <span className="flex flex-wrap items-center gap-3 rounded-md border border-line bg-surface px-3.5 py-2 text-sm">
            <Spinner />
            <span className="min-w-0 flex-1">{kinds[running].running}</span>
            <Button size="sm" onClick={enhancing.cancel}>
              {texts.cancel}
            </Button>
          </span>
        )}
      </output>
      {failure && <AiFailureNotice failure={failure} onRetry={() => void enhancing.start(failure.kind)} />}
    </>
  );
}
