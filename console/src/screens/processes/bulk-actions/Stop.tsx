import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { Failure } from '../../../parts/Failure';
import { type BulkAction, useStop } from './queries';

const EFFECT = 'It ends within the next 20 processes. Those already retried or cancelled stay so.';

/** Stops a bulk action that runs. */
export function Stop({ bulkAction: { id, status } }: { bulkAction: BulkAction }) {
  const { mutate, isPending, error } = useStop(id);
  return (
    <div>
      <Button
        loading={isPending}
        disabled={status === 'stopping'}
        disabledReason="It is being stopped."
        onClick={() => mutate()}
      >
        Stop
      </Button>
      <Box color="text-body-secondary" padding={{ top: 'xxs' }}>
        {EFFECT}
      </Box>
      {error && <Failure error={error} />}
    </div>
  );
}
