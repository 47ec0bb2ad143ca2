import type { Attention } from './attention.state.js';

/** The read models behind client events about attention settings. */
export interface AttentionModels {
  attention(userId: number): Promise<Attention>;
}
