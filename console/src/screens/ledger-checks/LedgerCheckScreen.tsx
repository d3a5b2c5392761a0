import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import { useParams } from '@tanstack/react-router';
import { Loaded } from '../../parts/Loaded';
import { Page } from '../../parts/Page';
import { Time } from '../../parts/Time';
import { CheckStatus } from './CheckStatus';
import { type LedgerCheck, useLedgerCheck } from './queries';
import { brokenRules, starterOf } from './rules';
import { RulesTable } from './RulesTable';
import { Violations } from './Violations';

/** The result of one check: broken rules with the rows that break them, then all rules. */
export function LedgerCheckScreen() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const query = useLedgerCheck(id);
  return (
    <Page title="Ledger check">
      <Loaded query={query}>{(check) => <Result check={check} />}</Loaded>
    </Page>
  );
}

function Result({ check }: { check: LedgerCheck }) {
  const { status, examined, started_at, finished_at } = check;
  const broken = brokenRules(check);
  return (
    <>
      {status === 'failed' && (
        <Alert type="error" header="The ledger check failed.">
          {broken.length > 0
            ? 'Change nothing by hand. Send the address of this page to a developer.'
            : 'No row could be examined although the organization has invoices.'}
        </Alert>
      )}
      <Container header={<Header variant="h2">Result</Header>}>
        <KeyValuePairs
          columns={3}
          items={[
            { label: 'Result', value: <CheckStatus status={status} /> },
            { label: 'Started by', value: starterOf(check) },
            { label: 'Rows examined', value: examined.toLocaleString() },
            { label: 'Started', value: <Time at={started_at} /> },
            { label: 'Finished', value: finished_at === null ? '–' : <Time at={finished_at} /> },
          ]}
        />
      </Container>
      {broken.map((rule) => (
        <Violations key={rule.name} rule={rule} />
      ))}
      <RulesTable rules={check.rules} />
    </>
  );
}
