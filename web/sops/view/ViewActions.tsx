import { CircleCheck, Download, Ellipsis, Link2, Pencil, Printer, UserRoundPlus } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { Link, useNavigate } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";
import { preloadWhenIdle } from "../../preload-links.ts";
import { preloadScreen } from "../../screens.ts";
import { useCommand } from "../../shortcuts/use-command.ts";
import { Button } from "../../ui/Button.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { useToast } from "../../ui/Toast.tsx";
import type { ActionToConfirm } from "./SopConfirmDialog.tsx";
import type { SopActions } from "./use-sop-actions.ts";
import { VersionHistory } from "../history/VersionHistory.tsx";
import { texts } from "./view-texts.ts";
import { ViewMenu } from "./ViewMenu.tsx";

const LinkDialog = lazyPart(() => import("./LinkDialog.tsx").then((module) => module.LinkDialog));
const SopConfirmDialog = lazyPart(() => import("./SopConfirmDialog.tsx").then((module) => module.SopConfirmDialog));
const PublishDialog = lazyPart(() => import("./PublishDialog.tsx").then((module) => module.PublishDialog));
const ShareDialog = lazyPart(() => import("../../permissions/ShareDialog.tsx").then((module) => module.ShareDialog));

/** On a phone the icons stand alone, so that the title stays in the first screenful. */
const wordOnlyWhereRoom = "max-sm:sr-only";

interface ViewActionsProps {
  sop: Sop;
  actions: SopActions;
  onReview(): void;
  /** More of them. */
  children?: ReactNode;
}

/** Preloads the editor's code and the text in its form. A failure here shows again where they are needed. */
async function prepareEdit(id: string, markdown: string): Promise<void> {
  await preloadScreen(`/sop/${id}/edit`);
  try {
    const { parseAhead } = await import("../../editor/parse-ahead.ts");
    await parseAhead(markdown);
  } catch {
    return;
  }
}

export function ViewActions({ sop, actions, onReview, children }: ViewActionsProps) {
  const { may } = actions;
  const { id, markdown } = sop;
  const [toConfirm, setToConfirm] = useState<ActionToConfirm | null>(null);
  const [publishing, setPublishing] = useState(false);
  const navigate = useNavigate();
  useEffect(() => (may.edit ? preloadWhenIdle(() => prepareEdit(id, markdown)) : undefined), [may.edit, id, markdown]);
  useCommand("edit", may.edit ? () => void navigate(`/sop/${sop.id}/edit`) : null);
  useCommand("print", () => window.print());
  const carryOut = async (question: ActionToConfirm): Promise<void> => {
    await (question === "remove" ? actions.remove() : actions.move(question));
    setToConfirm(null);
  };
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-2">
      {may.publish && (
        <Button variant="primary" busy={actions.busy} onClick={() => setPublishing(true)}>
          <CircleCheck aria-hidden />
          {texts.publish}
        </Button>
      )}
      {may.edit && (
        <Button asChild variant={may.publish ? "outline" : "primary"}>
          <Link to={`/sop/${sop.id}/edit`}>
            <Pencil aria-hidden />
            {texts.edit}
          </Link>
        </Button>
      )}
      {may.history && <VersionHistory sop={sop} onRestored={actions.accept} />}
      {children}
      <ShareButton sop={sop} mayShare={may.share} />
      <Button onClick={() => window.print()}>
        <Printer aria-hidden />
        <span className={wordOnlyWhereRoom}>{texts.print}</span>
      </Button>
      <Button asChild>
        <a href={`/api/sops/${sop.id}/export?format=pdf`} download>
          <Download aria-hidden />
          <span className={wordOnlyWhereRoom}>{texts.exportPdf}</span>
        </a>
      </Button>
      <MoreMenu sopId={sop.id} actions={actions} onAsk={setToConfirm} onReview={onReview} />
      {toConfirm && (
        <SopConfirmDialog
          action={toConfirm}
          sop={sop}
          busy={actions.busy}
          onConfirm={() => void carryOut(toConfirm)}
          onClose={() => setToConfirm(null)}
        />
      )}
      {publishing && <PublishDialog sop={sop} onClose={() => setPublishing(false)} />}
    </div>
  );
}

function MoreMenu(props: {
  sopId: string;
  actions: SopActions;
  onAsk(question: ActionToConfirm): void;
  onReview(): void;
}) {
  const trigger = (
    <Button size="icon" aria-label={texts.more}>
      <Ellipsis aria-hidden />
    </Button>
  );
  return <ViewMenu {...props} trigger={trigger} />;
}

/** Users who can't share copy the link. It works for readers who can open the SOP anyway. */
function ShareButton({ sop, mayShare }: { sop: Sop; mayShare: boolean }) {
  const [open, setOpen] = useState(false);
  if (!mayShare) return <CopyLinkButton sop={sop} />;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <UserRoundPlus aria-hidden />
        <span className={wordOnlyWhereRoom}>{texts.share}</span>
      </Button>
      {open && <ShareDialog sop={sop} onClose={() => setOpen(false)} />}
    </>
  );
}

function CopyLinkButton({ sop }: { sop: Sop }) {
  const toast = useToast();
  const [shown, setShown] = useState(false);
  const link = new URL(`/sop/${sop.id}`, window.location.origin).href;
  const share = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
      toast({ title: texts.linkCopied, description: link });
    } catch {
      // no clipboard without https, or refused: then it can be copied by hand
      setShown(true);
    }
  };
  return (
    <>
      <Button onClick={() => void share()}>
        <Link2 aria-hidden />
        <span className={wordOnlyWhereRoom}>{texts.share}</span>
      </Button>
      {shown && <LinkDialog link={link} onClose={() => setShown(false)} />}
    </>
  );
}
