import { Component, type ReactNode } from "react";
import { ErrorState } from "../ui/EmptyState.tsx";
import { texts } from "./texts.ts";

interface Props {
  /** A new value is a new screen, and a new chance. */
  resetKey: string;
  children: ReactNode;
}

interface State {
  isBroken: boolean;
  resetKey: string;
}

/** A screen that breaks takes nothing else with it. React has no hook for this: a class is the only way. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { isBroken: false, resetKey: this.props.resetKey };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State) {
    return resetKey === state.resetKey ? null : { isBroken: false, resetKey };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return <ErrorState title={texts.brokenTitle} detail={texts.brokenText} onRetry={() => window.location.reload()} />;
  }
}
