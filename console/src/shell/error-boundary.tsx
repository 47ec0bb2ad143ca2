import { Component, type ReactNode } from 'react';
import { Failed } from '../components/states.js';

interface Props {
  readonly children: ReactNode;
}

/** Shows an error of a page in its place, so that the rest of the console works. */
export class ErrorBoundary extends Component<Props, { readonly error: Error | null }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Failed error={error} retry={() => this.setState({ error: null })} />;
  }
}
