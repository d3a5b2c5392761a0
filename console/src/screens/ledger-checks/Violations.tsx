import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import { words } from '../processes/kinds';
import type { LedgerCheck } from './queries';
import { sentence } from './RulesTable';

type Rule = LedgerCheck['rules'][number];
type Violation = Rule['violations'][number];

/** The rows that break a rule: ids, and amounts in cents as the ledger has them. */
export function Violations({ rule: { name, violations } }: { rule: Rule }) {
  const fields = [...new Set(violations.flatMap((violation) => Object.keys(violation)))];
  return (
    <Table<Violation>
      variant="container"
      wrapLines
      header={
        <Header variant="h2" description={`Broken rule. At most the first 20 rows are listed.`}>
          {sentence(name)}
        </Header>
      }
      items={violations}
      columnDefinitions={fields.map((field) => ({
        id: field,
        header: words(field),
        cell: (violation) => violation[field] ?? '–',
      }))}
      ariaLabels={{ tableLabel: sentence(name) }}
    />
  );
}
