import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import type { Import } from './queries';

/** How many lines do what: as previewed, and once the import runs, as done. */
export function Counts({ shown }: { shown: Import }) {
  const previewed = [
    { label: 'Lines', value: shown.rows_total },
    { label: 'Add a member', value: shown.rows_create },
    { label: 'Change a member', value: shown.rows_update },
    { label: 'Change nothing', value: shown.rows_unchanged },
    { label: 'Have errors', value: shown.rows_error },
  ];
  const done = [
    { label: 'Added', value: shown.rows_created },
    { label: 'Changed', value: shown.rows_updated },
    { label: 'Left as they are', value: shown.rows_left },
    { label: 'Failed', value: shown.rows_failed },
    { label: 'Undone', value: shown.rows_undone },
    { label: 'Kept by the undo', value: shown.rows_kept },
  ];
  return <KeyValuePairs columns={4} items={shown.stage === 'processing' ? [...previewed, ...done] : previewed} />;
}
