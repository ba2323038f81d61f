import { Suspense } from "react";
import type { Send } from "#core/api/client.ts";
import { Screens } from "./routes.tsx";
import { Session } from "./session.tsx";
import { ErrorBoundary } from "./shell/ErrorBoundary.tsx";
import { PageSpinner } from "./ui/Spinner.tsx";

/** The whole application inside a router; `send` sends requests to the server. */
export function App({ send }: { send: Send }) {
  return (
    <Session send={send}>
      <ErrorBoundary resetKey="">
        <Suspense fallback={<PageSpinner />}>
          <Screens />
        </Suspense>
      </ErrorBoundary>
    </Session>
  );
}
