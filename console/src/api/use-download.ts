import { useMutation } from '@tanstack/react-query';
import { useSession } from './session.js';

/** A download of a file of the API. */
export interface Download {
  readonly error: Error | null;
  readonly isSaving: boolean;
  readonly save: () => void;
}

/** Downloads a file, and tells whether it is coming or was refused. */
export function useDownload(path: string, name: string): Download {
  const { download } = useSession();
  const { error, isPending, mutate } = useMutation({ mutationFn: () => download(path, name) });
  return { error, isSaving: isPending, save: () => mutate() };
}
