import { useQueryClient } from "@tanstack/react-query";
import { BookOpenCheck, CircleCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";
import { messageOf, refresh, useWrite, type Output } from "../api.ts";
import { comparePath } from "../sops/history/version-texts.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { useToast } from "../ui/Toast.tsx";
import { dateText } from "../ui/time.ts";
import { dayText, stateTexts, texts } from "./texts.ts";

type Acknowledgements = Output<"acknowledgements", "get">;

interface ReadBarProps {
  sop: Sop;
  data: Acknowledgements;
}

/** The question while it is open, then the answer. */
export function ReadBar({ sop, data }: ReadBarProps) {
  const { inForce: published, mine } = data;
  const answer = useRef<HTMLParagraphElement>(null);
  const [hasAnswered, setAnswered] = useState(false);
  // the button that held the focus is gone
  useEffect(() => {
    if (hasAnswered && !mine.owes) answer.current?.focus();
  }, [hasAnswered, mine.owes]);
  if (mine.owes && published) {
    return <Question sop={sop} published={published} mine={mine} onAnswered={() => setAnswered(true)} />;
  }
  if (!mine.confirmed) return null;
  return (
    <p
      ref={answer}
      tabIndex={-1}
      data-print="hide"
      className="mt-6 flex items-center gap-2 border-t border-line pt-4 text-muted outline-none"
    >
      <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
      {`You confirmed version ${mine.confirmed.version} on ${dateText(mine.confirmed.at)}.`}
    </p>
  );
}

interface QuestionProps {
  sop: Sop;
  published: NonNullable<Acknowledgements["inForce"]>;
  mine: Acknowledgements["mine"];
  onAnswered(): void;
}

function Question({ sop, published, mine, onAnswered }: QuestionProps) {
  const toast = useToast();
  const queryClient = useQueryClient();
  const confirm = useWrite("acknowledgements", "confirm");
  useRoomBelow();
  const { version, contentHash } = published;
  const isDraftShown = sop.version !== version;
  const answer = async (): Promise<void> => {
    try {
      await confirm.mutateAsync({ params: { id: sop.id }, body: { version, contentHash } });
      onAnswered();
      toast({ title: texts.thanks });
    } catch (error) {
      toast({ title: texts.error, description: messageOf(error, texts.failed), variant: "destructive" });
      // another version may be published meanwhile
      void refresh(queryClient, ["sops", "acknowledgements"]);
    }
  };
  return (
    <section
      aria-label={texts.own}
      data-read-bar
      data-print="hide"
      className="sticky bottom-3 z-10 mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-primary/35 bg-primary-soft px-4 py-3 shadow-float"
    >
      <BookOpenCheck aria-hidden className="hidden size-5 shrink-0 text-primary sm:block" />
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">{`Confirm that you've read version ${version}`}</p>
        <Due mine={mine} />
        {isDraftShown && (
          <p className="text-sm">
            {`You see version ${sop.version} here. `}
            <Link to={comparePath(sop.id, version, sop.version)} className="text-primary underline underline-offset-4">
              {texts.compare}
            </Link>
          </p>
        )}
      </div>
      <Button variant="primary" busy={confirm.isPending} onClick={() => void answer()}>
        {isDraftShown ? `I have read version ${version}` : texts.confirm}
      </Button>
    </section>
  );
}

function Due({ mine: { dueBy, overdue, confirmed } }: Pick<QuestionProps, "mine">) {
  const earlier = confirmed
    ? `You confirmed version ${confirmed.version} on ${dateText(confirmed.at)}. It has changed since.`
    : "";
  if (dueBy === null && earlier === "") return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm">
      {overdue && <Badge tone="destructive">{stateTexts.overdue}</Badge>}
      {dueBy !== null && <span>{overdue ? `It was due on ${dayText(dueBy)}.` : `Due by ${dayText(dueBy)}.`}</span>}
      {earlier}
    </p>
  );
}

/** What takes the focus is scrolled clear of the bar (WCAG 2.4.11). */
function useRoomBelow(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollPaddingBottom = "8rem";
    return () => void style.removeProperty("scroll-padding-bottom");
  }, []);
}
