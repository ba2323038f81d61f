import { Laptop, Smartphone } from "lucide-react";
import { useState } from "react";
import { errorMessageOf, useRead, useWrite, type Output } from "../api.ts";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { dateText, timeAgo } from "../ui/time.ts";
import { useToast } from "../ui/Toast.tsx";
import { deviceName, isHandheld } from "./device-name.ts";
import { SkeletonLines } from "./SkeletonLines.tsx";
import { Section } from "./Section.tsx";
import { sessionTexts } from "./texts.ts";

type SessionRow = Output<"sessions", "list">[number];

export function SessionsSection() {
  const sessions = useRead("sessions", "list", {});
  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  return (
    <Section id="sessions" title={sessionTexts.title} description={sessionTexts.description}>
      {sessions.data ? (
        <div className="grid gap-4">
          <ul className="-mt-4 divide-y divide-line border-b border-line">
            {/* This device comes first, then all other sessions. */}
            {[...sessions.data.filter(({ current }) => current), ...others].map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </ul>
          {others.length > 0 ? <EndOtherSessions /> : <p className="text-muted">{sessionTexts.onlyThis}</p>}
        </div>
      ) : sessions.isError ? (
        <ErrorState title={sessionTexts.loadFailed} onRetry={() => void sessions.refetch()} />
      ) : (
        <SkeletonLines count={2} label={sessionTexts.loading} />
      )}
    </Section>
  );
}

function SessionItem({ session }: { session: SessionRow }) {
  const toast = useToast();
  const end = useWrite("sessions", "end");
  const [isConfirming, setConfirming] = useState(false);
  const device = deviceName(session.userAgent) ?? sessionTexts.unknown;
  const Icon = isHandheld(session.userAgent) ? Smartphone : Laptop;
  const endSession = () =>
    end.mutate(
      { params: { id: session.id } },
      {
        onSuccess: () => toast({ title: sessionTexts.ended }),
        onError: (error) => toast({ title: errorMessageOf(error, sessionTexts.endFailed), variant: "destructive" }),
        onSettled: () => setConfirming(false),
      },
    );
  return (
    <li className="flex items-center gap-3 py-3">
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {device}
          {session.current && <Badge tone="success">{sessionTexts.current}</Badge>}
        </p>
        <p className="text-xs text-muted">
          {sessionTexts.active({ ago: timeAgo(session.lastSeenAt) })},{" "}
          {sessionTexts.since({ date: dateText(session.createdAt) })}
        </p>
      </div>
      {!session.current && (
        <Button size="sm" aria-label={sessionTexts.endLabel({ device })} onClick={() => setConfirming(true)}>
          {sessionTexts.end}
        </Button>
      )}
      <AlertDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={sessionTexts.endTitle({ device })}
        description={sessionTexts.endText}
        confirm={sessionTexts.end}
        destructive
        busy={end.isPending}
        onConfirm={endSession}
      />
    </li>
  );
}

function EndOtherSessions() {
  const toast = useToast();
  const endOthers = useWrite("sessions", "endOthers");
  const [isConfirming, setConfirming] = useState(false);
  const confirm = () =>
    endOthers.mutate(
      {},
      {
        onSuccess: () => toast({ title: sessionTexts.othersEnded }),
        onError: (error) => toast({ title: errorMessageOf(error, sessionTexts.endFailed), variant: "destructive" }),
        onSettled: () => setConfirming(false),
      },
    );
  return (
    <>
      <Button className="justify-self-start" onClick={() => setConfirming(true)}>
        {sessionTexts.endOthers}
      </Button>
      <AlertDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={sessionTexts.endOthersTitle}
        description={sessionTexts.endOthersText}
        confirm={sessionTexts.endOthers}
        destructive
        busy={endOthers.isPending}
        onConfirm={confirm}
      />
    </>
  );
}
