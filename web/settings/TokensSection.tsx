import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { errorMessageOf, useRead, useWrite, type Output } from "../api.ts";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { boundaryText, isPast, timeAgo } from "../ui/time.ts";
import { useToast } from "../ui/Toast.tsx";
import { SkeletonLines } from "./SkeletonLines.tsx";
import { NewTokenDialog } from "./NewTokenDialog.tsx";
import { Section } from "./Section.tsx";
import { tokenTexts, scopeTexts } from "./texts.ts";

type TokenRow = Output<"tokens", "list">[number];

export function TokensSection() {
  const tokens = useRead("tokens", "list", {});
  const [isNew, setNew] = useState(false);
  return (
    <Section
      id="tokens"
      title={tokenTexts.title}
      description={tokenTexts.description}
      actions={
        <Button onClick={() => setNew(true)}>
          <Plus aria-hidden />
          {tokenTexts.create}
        </Button>
      }
    >
      {tokens.data ? (
        <TokenList tokens={tokens.data} />
      ) : tokens.isError ? (
        <ErrorState title={tokenTexts.loadFailed} onRetry={() => void tokens.refetch()} />
      ) : (
        <SkeletonLines count={1} label={tokenTexts.loading} />
      )}
      {isNew && <NewTokenDialog onClose={() => setNew(false)} />}
    </Section>
  );
}

function TokenList({ tokens }: { tokens: readonly TokenRow[] }) {
  if (tokens.length === 0) return <p className="text-muted">{tokenTexts.none}</p>;
  return (
    <ul className="-mt-4 divide-y divide-line border-b border-line">
      {tokens.map((token) => (
        <TokenItem key={token.id} token={token} />
      ))}
    </ul>
  );
}

function TokenItem({ token }: { token: TokenRow }) {
  const toast = useToast();
  const revoke = useWrite("tokens", "revoke");
  const [isConfirming, setConfirming] = useState(false);
  const isOver = isPast(token.expiresAt);
  const confirm = () =>
    revoke.mutate(
      { params: { id: token.id } },
      {
        onSuccess: () => toast({ title: tokenTexts.revoked }),
        onError: (error) => toast({ title: errorMessageOf(error, tokenTexts.revokeFailed), variant: "destructive" }),
        onSettled: () => setConfirming(false),
      },
    );
  return (
    <li className="flex items-start gap-3 py-3">
      <KeyRound aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex flex-wrap items-baseline gap-x-2 font-medium">
          <span>{token.name}</span>
          <code className="font-mono text-xs font-normal break-all text-muted">{token.hint}</code>
        </p>
        <p className="flex flex-wrap gap-1">
          {token.scopes.map((scope) => (
            <Badge key={scope}>{scopeTexts[scope].label}</Badge>
          ))}
        </p>
        <p className="text-xs text-muted">
          <span className={isOver ? "text-destructive" : undefined}>
            {isOver
              ? tokenTexts.expired({ date: boundaryText(token.expiresAt) })
              : tokenTexts.expires({ date: boundaryText(token.expiresAt) })}
          </span>
          , {token.lastUsedAt ? tokenTexts.used({ ago: timeAgo(token.lastUsedAt) }) : tokenTexts.neverUsed}
        </p>
      </div>
      <Button size="sm" aria-label={tokenTexts.revokeLabel({ name: token.name })} onClick={() => setConfirming(true)}>
        {tokenTexts.revoke}
      </Button>
      <AlertDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={tokenTexts.revokeTitle({ name: token.name })}
        description={tokenTexts.revokeText}
        confirm={tokenTexts.revoke}
        destructive
        busy={revoke.isPending}
        onConfirm={confirm}
      />
    </li>
  );
}
