import ColumnLayout from '@cloudscape-design/components/column-layout';
import { FilterSelect } from '../../parts/FilterSelect';
import { STATUS_LABELS } from './ProcessStatus';

interface ProcessFiltersProps {
  /** Kinds to choose from, with their labels. */
  kinds: Readonly<Record<string, string>>;
  /** Label of the choice of no kind. */
  noKind: string;
}

export function ProcessFilters({ kinds, noKind }: ProcessFiltersProps) {
  return (
    <ColumnLayout columns={3}>
      <FilterSelect label="State" name="stuck" all="Stuck or not" options={{ true: 'Stuck', false: 'Not stuck' }} />
      <FilterSelect label="Status" name="status" all="Any status" options={STATUS_LABELS} />
      <FilterSelect label="Kind" name="kind" all={noKind} options={kinds} />
    </ColumnLayout>
  );
}
