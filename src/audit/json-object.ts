import { z } from 'zod';
import type { JsonObject } from '../kernel/json.js';

/** Any JSON object: a stored event is checked by its hash, not by its shape. */
export const jsonObjectSchema = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
