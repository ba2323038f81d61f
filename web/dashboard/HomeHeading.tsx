import type { ReactNode } from "react";
import { useHeadingFocus } from "../shell/PageHeading.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { needsTexts as texts } from "./texts.ts";

interface HomeHeadingProps {
  id: string;
  /** The heading; null while its number is loading. */
  text: string | null;
  note?: ReactNode;
}

/**
 * The heading of the home page. Screen readers hear the page's name before the heading. The browser tab shows only the
 * page's name.
 */
export function HomeHeading({ id, text, note }: HomeHeadingProps) {
  const heading = useHeadingFocus(texts.page);
  return (
    <div className="mb-3 flex flex-wrap items-baseline gap-x-4">
      <h1 id={id} ref={heading} tabIndex={-1} className="min-h-8 text-2xl leading-8 font-semibold tracking-tight">
        {text === texts.page ? (
          text
        ) : (
          <>
            <span className="sr-only">{text === null ? texts.page : `${texts.page}: `}</span>
            {text ?? <Skeleton className="h-8 w-64" />}
          </>
        )}
      </h1>
      {note && <span className="ml-auto text-sm text-muted">{note}</span>}
    </div>
  );
}
