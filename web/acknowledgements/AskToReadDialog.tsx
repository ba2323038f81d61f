import { Search } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { mayRequestAcknowledgements } from "#core/acknowledgements/rules.ts";
import { useRead, type Output } from "../api.ts";
import { actorOfUser, useMe } from "../session.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { SearchInput } from "../ui/Input.tsx";
import { ReadingRequestLoader } from "./ReadingRequestLoader.tsx";
import { overviewTexts as texts } from "./texts.ts";

type SopListItem = Output<"sops", "list">["data"][number];

/** Asks for the SOP first, then for the people who have to read it. */
export function AskToReadDialog({ onClose }: { onClose(): void }) {
  const actor = actorOfUser(useMe());
  const [search, setSearch] = useState("");
  const [sop, setSop] = useState<SopListItem | null>(null);
  const wanted = useDeferredValue(search.trim());
  const found = useRead("sops", "list", {
    query: { status: "published", limit: 20, ...(wanted !== "" && { search: wanted }) },
  });
  if (sop) return <ReadingRequestLoader sop={sop} onClose={onClose} />;
  const rows = (found.data?.data ?? []).filter((row) => mayRequestAcknowledgements(actor, { ...row, deletedAt: null }));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={texts.chooseSop} startsInField>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <SearchInput
          label={texts.searchSops}
          placeholder={texts.searchSops}
          icon={<Search />}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        {found.data && rows.length === 0 ? (
          <p className="text-muted">{texts.noSops}</p>
        ) : (
          <ul className="min-h-64 divide-y divide-line">
            {rows.map((row) => (
              <li key={row.id}>
                <button
                  type="button"
                  onClick={() => setSop(row)}
                  className="flex min-h-9 w-full items-center gap-3 rounded-sm px-2 text-left hover:bg-sunken pointer-coarse:min-h-13"
                >
                  <span className="text-xs text-muted tabular-nums">{row.number}</span>
                  <span dir="auto" className="min-w-0 flex-1 truncate">
                    {row.title}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
