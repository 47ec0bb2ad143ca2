import type { Attention } from './attention.state.js';

/** What tells clients what a person wants to hear of. */
export interface AttentionModels {
  attention(userId: number): Promise<Attention>;
}
