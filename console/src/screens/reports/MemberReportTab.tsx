import { FilterSelect } from '../../parts/FilterSelect';
import { words } from '../processes/kinds';
import { type MemberReport, useMemberReport } from './queries';
import { Report } from './Report';

type Row = MemberReport['groups'][number];

const GROUPINGS = { region: 'Region', status: 'Status', graduation_year: 'Year of graduation' };

const nameOf = ({ group, name }: Row): string => name ?? (group === null ? 'None' : words(group));

/** The causes of changes that are not zero, for example `Joined 3, transferred 1`. */
function causesOf(changes: Readonly<Record<string, number>>): string {
  const given = Object.entries(changes).filter(([, count]) => count > 0);
  return given.length === 0 ? '–' : words(given.map(([cause, count]) => `${cause} ${count}`).join(', '));
}

/** The members at two days, and why their number changed. */
export const MemberReportTab = () => (
  <Report<MemberReport, Row>
    name="members"
    query={useMemberReport()}
    filters={<FilterSelect label="By" name="group_by" all="Chapter" options={GROUPINGS} />}
    chartOf={({ groups, group_by }) => ({
      axis: words(group_by),
      measure: 'Number of members',
      labels: groups.map(nameOf),
      series: [
        { title: 'At the start', values: groups.map(({ start }) => start) },
        { title: 'At the end', values: groups.map(({ end }) => end) },
      ],
      format: String,
    })}
    columnsOf={({ group_by }) => [
      { id: 'group', header: words(group_by), cell: nameOf, isRowHeader: true },
      { id: 'start', header: 'At the start', cell: ({ start }) => start },
      { id: 'in', header: 'Gained', cell: (row) => causesOf(row.in) },
      { id: 'out', header: 'Lost', cell: (row) => causesOf(row.out) },
      { id: 'end', header: 'At the end', cell: ({ end }) => end },
    ]}
    rowsOf={({ groups, total }) => [...groups, { ...total, group: 'total', name: 'Total' }]}
  />
);
