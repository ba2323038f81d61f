import { CircleCheck, Download, Ellipsis, Link2, Pencil, Printer, UserRoundPlus } from "lucide-react";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { Link } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Input } from "../ui/Input.tsx";
import { MenuOnDemand } from "../ui/MenuOnDemand.tsx";
import { useToast } from "../ui/Toast.tsx";
import type { SopActions } from "./use-sop-actions.ts";
import { VersionHistory } from "./VersionHistory.tsx";
import { texts } from "./view-texts.ts";

export type Question = "unpublish" | "archive" | "remove";

interface ViewActionsProps {
  sop: Sop;
  actions: SopActions;
  /** More of them. */
  children?: ReactNode;
}

export function ViewActions({ sop, actions, children }: ViewActionsProps) {
  const { may } = actions;
  const [asked, setAsked] = useState<Question | null>(null);
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-2">
      {may.publish && (
        <Button variant="primary" busy={actions.busy} onClick={() => void actions.move("publish")}>
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
        {texts.print}
      </Button>
      <Button asChild>
        <a href={`/api/sops/${sop.id}/export?format=md`} download>
          <Download aria-hidden />
          {texts.export}
        </a>
      </Button>
      <MoreMenu actions={actions} onAsk={setAsked} />
      <Confirm asked={asked} sop={sop} actions={actions} onClose={() => setAsked(null)} />
    </div>
  );
}

const ViewMenu = lazy(() => import("./ViewMenu.tsx").then((module) => ({ default: module.ViewMenu })));

/** The menu's code loads when it is first asked for. */
function MoreMenu({ actions, onAsk }: { actions: SopActions; onAsk(question: Question): void }) {
  const { may } = actions;
  if (!may.unpublish && !may.archive && !may.unarchive && !may.remove) return null;
  const trigger = (
    <Button size="icon" aria-label={texts.more}>
      <Ellipsis aria-hidden />
    </Button>
  );
  return (
    <MenuOnDemand trigger={trigger}>
      <ViewMenu trigger={trigger} actions={actions} onAsk={onAsk} />
    </MenuOnDemand>
  );
}

interface ConfirmProps {
  asked: Question | null;
  sop: Sop;
  actions: SopActions;
  onClose(): void;
}

function Confirm({ asked, sop, actions, onClose }: ConfirmProps) {
  const questions = {
    unpublish: { title: texts.unpublishAsk, description: texts.unpublishText, confirm: texts.unpublish },
    archive: { title: texts.archiveAsk, description: texts.archiveText, confirm: texts.archive },
    remove: {
      title: `Are you sure you want to delete ${sop.title}?`,
      description: texts.removeText,
      confirm: texts.remove,
    },
  };
  const question = asked && questions[asked];
  const confirm = async (): Promise<void> => {
    if (!asked) return;
    await (asked === "remove" ? actions.remove() : actions.move(asked));
    onClose();
  };
  return (
    <AlertDialog
      open={asked !== null}
      onOpenChange={onClose}
      title={question?.title ?? ""}
      description={question?.description ?? ""}
      confirm={question?.confirm ?? ""}
      cancel={texts.cancel}
      destructive={asked === "remove"}
      busy={actions.busy}
      onConfirm={() => void confirm()}
    />
  );
}

const ShareDialog = lazy(() =>
  import("../permissions/ShareDialog.tsx").then((module) => ({ default: module.ShareDialog })),
);

/** Who may not share copies the link; the link opens for whoever may read the SOP anyway. */
function ShareButton({ sop, mayShare }: { sop: Sop; mayShare: boolean }) {
  const [open, setOpen] = useState(false);
  if (!mayShare) return <CopyLinkButton sop={sop} />;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <UserRoundPlus aria-hidden />
        {texts.share}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <ShareDialog sop={sop} onClose={() => setOpen(false)} />
        </Suspense>
      )}
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
      <IconButton label={texts.share} variant="outline" onClick={() => void share()}>
        <Link2 aria-hidden />
      </IconButton>
      <Dialog open={shown} onOpenChange={setShown} title={texts.linkTitle} size="sm">
        <Input aria-label={texts.linkTitle} readOnly value={link} onFocus={(event) => event.target.select()} />
      </Dialog>
    </>
  );
}
