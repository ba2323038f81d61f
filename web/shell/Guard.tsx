/** Guards screens: shows a spinner while the sign-in is checked, then the screen, or /login with a way back. */
import { startTransition, useEffect, useRef, type ReactNode } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { MeProvider, useSession, useSignedIn, type SessionState } from "../session.tsx";
import { ErrorState } from "../ui/EmptyState.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { texts } from "./texts.ts";

interface LocationBefore {
  from?: { pathname: string; search: string };
}

/** Returns the path that the user wanted to open before the sign-in; `/` if there was none. */
export function useReturnPath(): string {
  const { from } = (useLocation().state ?? {}) as LocationBefore;
  return from ? from.pathname + from.search : "/";
}

export function Guard({ children }: { children: ReactNode }) {
  const signedIn = useSignedIn();
  const { pathname, search } = useLocation();
  useEndOfSession(signedIn.state);
  if (signedIn.state === "in") return <MeProvider value={signedIn.me}>{children}</MeProvider>;
  if (signedIn.state === "out") return <Navigate to="/login" replace state={{ from: { pathname, search } }} />;
  if (signedIn.state === "failed") {
    return (
      <main className="mx-auto grid min-h-dvh max-w-md content-center p-4">
        <ErrorState title={texts.checkFailed} onRetry={signedIn.retry} />
      </main>
    );
  }
  return <PageSpinner />;
}

/**
 * Handles a session that ended elsewhere, for example by a new password: clears the user's data and lets the sign-in
 * page say why.
 */
function useEndOfSession(state: SessionState["state"]) {
  const session = useSession();
  const wasIn = useRef(false);
  useEffect(() => {
    if (state === "in") wasIn.current = true;
    if (state === "out" && wasIn.current) startTransition(() => session.end());
  }, [state, session]);
}

/** Shows sign-in and registration only to users who aren't signed in. */
export function SignedOutGuard({ children }: { children: ReactNode }) {
  const signedIn = useSignedIn();
  const returnPath = useReturnPath();
  if (signedIn.state === "out" || signedIn.state === "failed") return children;
  return (
    <>
      {signedIn.state === "in" && <Navigate to={returnPath} replace />}
      {/* The spinner stays until the code of the next screen has loaded. */}
      <PageSpinner />
    </>
  );
}
