import { Alert } from '@mantine/core';
import { keptElsewhere, type ModelReport } from '../../api/operations.js';

/** Tells that another process keeps the read models, if it does. */
export function Elsewhere({ models }: { readonly models: readonly ModelReport[] }) {
  const reason = keptElsewhere(models);
  if (reason === null) return null;
  return (
    <Alert color="yellow" role="status" mb="sm">
      {reason}
    </Alert>
  );
}
