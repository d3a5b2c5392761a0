import ColumnLayout from '@cloudscape-design/components/column-layout';
import { FilterSelect } from '../../parts/FilterSelect';
import { KIND_OPTIONS } from './kinds';
import { STATUS_LABELS } from './ProcessStatus';

export function ProcessFilters() {
  return (
    <ColumnLayout columns={3}>
      <FilterSelect label="State" name="stuck" all="Stuck or not" options={{ true: 'Stuck', false: 'Not stuck' }} />
      <FilterSelect label="Status" name="status" all="Any status" options={STATUS_LABELS} />
      <FilterSelect label="Kind" name="kind" all="All kinds" options={KIND_OPTIONS} />
    </ColumnLayout>
  );
}
