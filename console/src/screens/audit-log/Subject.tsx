import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { useFilters } from '../../parts/useFilters';
import { words } from '../processes/kinds';
import type { AuditEntry } from './queries';

/** What was changed. A click shows its whole history. */
export function Subject({ entry: { subject_type, subject_id } }: { entry: AuditEntry }) {
  const [, change] = useFilters();
  return (
    <>
      {words(subject_type)}
      {subject_id && (
        <Box variant="small" display="block">
          <Button variant="inline-link" onClick={() => change({ subject_type, subject_id })}>
            {subject_id}
          </Button>
        </Box>
      )}
    </>
  );
}
