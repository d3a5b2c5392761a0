import ColumnLayout from '@cloudscape-design/components/column-layout';
import { FilterSelect } from '../../parts/FilterSelect';
import { useChapters } from '../../parts/useChapters';
import { STATUS_LABELS } from './RemittanceStatus';

export function RemittanceFilters() {
  const chapters = useChapters();
  return (
    <ColumnLayout columns={2}>
      <FilterSelect label="Status" name="status" all="Any status" options={STATUS_LABELS} />
      <FilterSelect label="Chapter" name="chapter" all="All chapters" options={Object.fromEntries(chapters)} />
    </ColumnLayout>
  );
}
