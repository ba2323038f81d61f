import { Component, type ReactNode } from "react";
import { ErrorState } from "../ui/EmptyState.tsx";
import { texts } from "./texts.ts";

interface Props {
  /** When this value changes, a new screen is shown, so the boundary tries to render again. */
  resetKey: string;
  children: ReactNode;
}

interface ErrorBoundaryState {
  isBroken: boolean;
  resetKey: string;
}

/** Limits an error to its screen. React offers error boundaries only as classes. */
export class ErrorBoundary extends Component<Props, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { isBroken: false, resetKey: this.props.resetKey };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: ErrorBoundaryState) {
    return resetKey === state.resetKey ? null : { isBroken: false, resetKey };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return <ErrorState title={texts.brokenTitle} detail={texts.brokenText} onRetry={() => window.location.reload()} />;
  }
}
