/** The bar at the end of a list with actions for the selected SOPs. Its code loads with the first selection. */
import { Archive, Tag, UserRound, X } from "lucide-react";
import { useState } from "react";
import { bulkActions, bulkRefusalOf, type BulkAction } from "#core/sops/bulk.ts";
import { useMay } from "../../session.tsx";
import { commands } from "../../shortcuts/registry.ts";
import { useCommand } from "../../shortcuts/use-command.ts";
import { BottomBar } from "../../ui/BottomBar.tsx";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Tooltip } from "../../ui/Tooltip.tsx";
import { bulkTexts as texts } from "./bulk-texts.ts";
import type { RowSelection } from "./use-selection.ts";

const BulkDialog = lazyPart(() => import("./BulkDialog.tsx").then((module) => module.BulkDialog));

const keys = { tags: "tagChosen", owner: "ownChosen", archive: "archiveChosen" } as const;
const icons = { tags: <Tag aria-hidden />, owner: <UserRound aria-hidden />, archive: <Archive aria-hidden /> };

export function SelectionBar({ selection: { chosen, set } }: { selection: RowSelection }) {
  const may = useMay();
  const [action, setAction] = useState<BulkAction | null>(null);
  const canAnyChosen = (one: BulkAction) =>
    chosen.some((sop) => bulkRefusalOf(one, sop, (name) => may(name, sop)) === null);
  const offered = bulkActions.filter(canAnyChosen);
  const startIfOffered = (one: BulkAction) => (offered.includes(one) ? () => setAction(one) : null);
  useCommand(keys.tags, startIfOffered("tags"));
  useCommand(keys.owner, startIfOffered("owner"));
  useCommand(keys.archive, startIfOffered("archive"));
  return (
    <>
      <BottomBar className="-mx-4 sm:-mx-8 sm:px-8">
        <fieldset aria-label={texts.bar} className="flex min-w-0 grow flex-wrap items-center gap-2">
          <output className="mr-auto text-sm font-medium tabular-nums">{texts.count({ count: chosen.length })}</output>
          {offered.map((one) => (
            <Tooltip key={one} content={texts[one]} shortcut={commands[keys[one]].keys}>
              <Button className="max-sm:px-2.5 max-sm:[&_svg]:hidden" onClick={() => setAction(one)}>
                {icons[one]}
                {texts[one]}
              </Button>
            </Tooltip>
          ))}
          <IconButton label={texts.clear} shortcut={commands.deselect.keys} onClick={() => set([])}>
            <X aria-hidden />
          </IconButton>
        </fieldset>
      </BottomBar>
      {action && <BulkDialog action={action} sops={chosen} onClose={() => setAction(null)} onDone={set} />}
    </>
  );
}
