import { useState, type ReactNode } from "react";
import { Link, useLocation } from "react-router-dom";
import type { SopRow } from "#core/sops/schema.ts";
import { useRead } from "../api.ts";
import { useMay } from "../session.tsx";
import { ListSearch } from "../sops/list/ListSearch.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { improveTexts as texts, type PanelActor } from "./texts.ts";

interface ImproveDialogProps {
  by: PanelActor;
  onClose(): void;
}

/**
 * Asks which SOP to improve: the one on screen, or one found by search. The editor then requests and shows the proposed
 * changes.
 */
export function ImproveDialog({ by, onClose }: ImproveDialogProps) {
  const [search, setSearch] = useState("");
  const may = useMay();
  const viewed = useViewedSop();
  const list = useRead("sops", "list", { query: { search: search.trim(), limit: 30 } });
  const editable = list.data?.data.filter((sop) => may("sop.edit", sop) && sop.id !== viewed?.id);
  const linkTo = (sop: Pick<SopRow, "id" | "number" | "title">) => (
    <Link
      to={`/sop/${sop.id}/edit?improve=${by === "ai" ? "1" : "rules"}`}
      onClick={onClose}
      className="flex items-baseline justify-between gap-3 px-3 py-2.5 hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <span className="font-medium">{sop.title}</span>
      <span className="shrink-0 font-mono text-xs text-muted">{sop.number}</span>
    </Link>
  );
  return (
    <Dialog open onOpenChange={onClose} title={texts.title} description={by === "ai" ? texts.text : texts.rulesText}>
      <div className="grid gap-4">
        {viewed && may("sop.edit", viewed) && (
          <SopLinkGroup heading={texts.viewed}>{[<li key="it">{linkTo(viewed)}</li>]}</SopLinkGroup>
        )}
        <ListSearch label={texts.search} value={search} onSearch={setSearch} />
        {editable ? (
          editable.length > 0 ? (
            <SopLinkGroup heading={texts.others}>
              {editable.map((sop) => (
                <li key={sop.id}>{linkTo(sop)}</li>
              ))}
            </SopLinkGroup>
          ) : (
            <p className="text-muted">{texts.none}</p>
          )
        ) : list.isError ? (
          <ErrorState title={texts.failed} onRetry={() => void list.refetch()} />
        ) : (
          <output className="flex items-center gap-2 text-muted">
            <Spinner />
            {texts.loading}
          </output>
        )}
      </div>
    </Dialog>
  );
}

function SopLinkGroup({ heading, children }: { heading: string; children: ReactNode[] }) {
  return (
    <section aria-label={heading}>
      <h3 className="mb-1 text-xs font-semibold text-muted">{heading}</h3>
      <ul className="divide-y divide-line rounded-md border border-line">{children}</ul>
    </section>
  );
}

/**
 * Reads the SOP of the current screen; undefined on screens without one. The id comes from the address, because the
 * dialog is outside the routes of the screens.
 */
function useViewedSop() {
  const { pathname } = useLocation();
  const id = /^\/sop\/([^/]+)/.exec(pathname)?.[1] ?? "new";
  return useRead("sops", "get", { params: { id } }, { enabled: id !== "new" }).data;
}
