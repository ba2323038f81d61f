import { Plus } from "lucide-react";
import { Link } from "react-router-dom";
import { useMay } from "../../session.tsx";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { texts } from "../texts.ts";
import type { SopListProps } from "./SopList.tsx";

type SopListEmptyProps = Pick<SopListProps, "isFiltered" | "onClearFilters" | "empty" | "emptyFiltered">;

/** Shown for a list without SOPs: suggests what to do next. */
export function SopListEmpty({ isFiltered = false, onClearFilters, empty, emptyFiltered }: SopListEmptyProps) {
  const isAuthor = useMay()("sop.create");
  if (isFiltered) {
    if (emptyFiltered) return emptyFiltered;
    return (
      <EmptyState
        title={texts.empty}
        hint={texts.emptyFiltered}
        action={onClearFilters && <Button onClick={onClearFilters}>{texts.clearAll}</Button>}
      />
    );
  }
  if (empty) return empty;
  return (
    <EmptyState
      title={texts.empty}
      hint={isAuthor ? texts.emptyAuthor : texts.emptyReader}
      action={
        isAuthor && (
          <Button asChild variant="primary">
            <Link to="/sop/new">
              <Plus aria-hidden />
              {texts.createFirst}
            </Link>
          </Button>
        )
      }
    />
  );
}
