import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { RequestFailed } from '../api/send';

const LOST = 'The server did not answer. It may have done what you asked: check before you try again.';

/** Says why a request failed, with the code and the request id that support needs. @param retry repeats a read */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const { text, code, requestId } = describeFailure(error);
  return (
    <Alert type="error" action={retry && <Button onClick={retry}>Try again</Button>}>
      {text}
      <Box variant="small" display="block">
        Code {code}
        {requestId && `, request ${requestId}`}
      </Box>
    </Alert>
  );
}

export function describeFailure(error: unknown): { text: string; code: string; requestId?: string | undefined } {
  if (!(error instanceof RequestFailed))
    return { text: 'The console has a fault. Reload the page.', code: String(error) };
  const { failure } = error;
  if (failure.kind === 'unknown') return { text: LOST, code: 'unknown_outcome', requestId: failure.requestId };
  const fields = Object.entries(failure.errors ?? {}).map(([field, texts]) => `${field}: ${[texts].flat().join(' ')}`);
  return {
    text: [failure.detail, ...fields].join(' '),
    code: failure.code,
    requestId: failure.requestId,
  };
}

/**
 * Returns what is wrong with one field of a form, or with a part of it; undefined if the failure is about something else.
 */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!(error instanceof RequestFailed) || error.failure.kind !== 'refused') return undefined;
  const texts = Object.entries(error.failure.errors ?? {})
    .filter(([name]) => name === field || name.startsWith(`${field}.`))
    .flatMap(([, refused]) => refused);
  return texts.length > 0 ? texts.join(' ') : undefined;
}
