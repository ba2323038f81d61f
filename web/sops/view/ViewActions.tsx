import { BookOpenCheck, CircleCheck, Ellipsis, Pencil } from "lucide-react";
import { useEffect, useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";
import { submissionStateOf } from "../../approvals/submission.ts";
import { useDraftNextStep } from "../../approvals/use-draft-next-step.ts";
import type { CommentsPanel } from "../../comments/use-comments-panel.ts";
import { FavoriteButton } from "../../favorites/FavoriteButton.tsx";
import { useSharedLink } from "../../permissions/use-shared-link.ts";
import { preloadWhenIdle } from "../../preload-links.ts";
import { preloadScreen } from "../../screens.ts";
import { useCommand } from "../../shortcuts/use-command.ts";
import { Button } from "../../ui/Button.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { useVersionHistory } from "../history/VersionHistory.tsx";
import type { ActionToConfirm } from "./SopConfirmDialog.tsx";
import type { SopActions } from "./use-sop-actions.ts";
import { texts } from "./view-texts.ts";

const ViewMenu = lazyPart(
  () => import("./ViewMenu.tsx").then((module) => module.ViewMenu),
  () => <span className="size-9 pointer-coarse:size-11" />,
);
const LinkDialog = lazyPart(() => import("./LinkDialog.tsx").then((module) => module.LinkDialog));
const SopConfirmDialog = lazyPart(() => import("./SopConfirmDialog.tsx").then((module) => module.SopConfirmDialog));
const PublishDialog = lazyPart(() => import("./PublishDialog.tsx").then((module) => module.PublishDialog));
const ShareDialog = lazyPart(() => import("../../permissions/ShareDialog.tsx").then((module) => module.ShareDialog));

interface ViewActionsProps {
  sop: Sop;
  actions: SopActions;
  comments: CommentsPanel;
  onReview(): void;
  /** Absent for users who can't ask others to confirm reading. */
  onAskToRead: (() => void) | undefined;
}

/**
 * Loads the editor's code and parses the text before the user clicks Edit. If that fails, the edit screen tries again
 * and shows the error.
 */
async function prepareEdit(id: string, markdown: string): Promise<void> {
  await preloadScreen(`/sop/${id}/edit`);
  try {
    const { parseAhead } = await import("../../editor/parse-ahead.ts");
    await parseAhead(markdown);
  } catch {
    return;
  }
}

/** Shows the most frequent actions as buttons. All other actions are in the menu. */
export function ViewActions({ sop, actions, comments, onReview, onAskToRead }: ViewActionsProps) {
  const { may } = actions;
  const { id, markdown } = sop;
  const next = useDraftNextStep(sop);
  const [asked, setAsked] = useState<ActionToConfirm | "publish" | "share" | null>(null);
  const close = () => setAsked(null);
  const navigate = useNavigate();
  const history = useVersionHistory({ sop, onRestored: actions.accept }, may.history);
  const link = useCopyLink(sop);
  useEffect(() => (may.edit ? preloadWhenIdle(() => prepareEdit(id, markdown)) : undefined), [may.edit, id, markdown]);
  useCommand("edit", may.edit ? () => void navigate(`/sop/${sop.id}/edit`) : null);
  useCommand("print", () => window.print());
  const carryOut = async (question: ActionToConfirm): Promise<void> => {
    await (question === "remove" ? actions.remove() : actions.changeStatus(question));
    close();
  };
  // For a draft, the button above the text is Publish, so the button to ask for read confirmations is in the menu.
  const asksAbove = onAskToRead !== undefined && sop.published !== null && !may.publish;
  return (
    <div className="ml-auto flex items-center gap-2">
      <FavoriteButton sop={sop} />
      {asksAbove && (
        <Button onClick={onAskToRead} className="max-sm:hidden">
          <BookOpenCheck aria-hidden />
          {texts.askToRead}
        </Button>
      )}
      {may.edit && (
        <Button asChild>
          <Link to={`/sop/${sop.id}/edit`} className="max-sm:w-11" aria-label={texts.edit}>
            <Pencil aria-hidden />
            <span className="max-sm:hidden">{texts.edit}</span>
          </Link>
        </Button>
      )}
      {may.publish && (
        <Button
          variant={next === "publish" ? "primary" : "outline"}
          busy={actions.busy}
          onClick={() => setAsked("publish")}
        >
          <CircleCheck aria-hidden />
          {texts.publish}
        </Button>
      )}
      <ViewMenu
        sop={sop}
        actions={actions}
        trigger={
          <Button size="icon" variant="ghost" aria-label={texts.more}>
            <Ellipsis aria-hidden />
          </Button>
        }
        onAskToRead={onAskToRead}
        asksAbove={asksAbove}
        onHistory={history.show}
        onComments={() => comments.show(!comments.open)}
        onShare={() => (may.share ? setAsked("share") : void link.copy())}
        onReview={onReview}
        onAsk={setAsked}
      />
      {history.dialog}
      {link.dialog}
      {asked === "publish" && (
        <PublishDialog
          sop={sop}
          onClose={close}
          onSubmit={(shown) => {
            close();
            void navigate(".", { replace: true, state: submissionStateOf(shown) });
          }}
        />
      )}
      {asked === "share" && <ShareDialog sop={sop} onClose={close} />}
      {asked !== null && asked !== "publish" && asked !== "share" && (
        <SopConfirmDialog
          action={asked}
          sop={sop}
          busy={actions.busy}
          onConfirm={() => void carryOut(asked)}
          onClose={close}
        />
      )}
    </div>
  );
}

/**
 * Copies the SOP's link, for users who can't give access. The link works only for people who can already open the SOP.
 */
function useCopyLink(sop: Sop) {
  const toast = useToast();
  const [shown, setShown] = useState(false);
  const link = useSharedLink(`/sop/${sop.id}`);
  return {
    async copy(): Promise<void> {
      try {
        await navigator.clipboard.writeText(link);
        toast({ title: texts.linkCopied, description: link });
      } catch {
        // The browser offers no clipboard or refuses access, so a dialog shows the link to copy by hand.
        setShown(true);
      }
    },
    dialog: shown && <LinkDialog link={link} onClose={() => setShown(false)} />,
  };
}
