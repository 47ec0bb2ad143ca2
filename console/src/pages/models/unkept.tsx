import { Alert } from '@mantine/core';
import { keptByNobody, type ModelReport } from '../../api/operations.js';

/** Tells that no running process keeps the read models, if that is so. */
export function Unkept({ models }: { readonly models: readonly ModelReport[] }) {
  const reason = keptByNobody(models);
  if (reason === null) return null;
  return (
    <Alert color="yellow" role="status" mb="sm">
      {reason}
    </Alert>
  );
}
