import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Schema } from 'chapter-membership-client';
import { LinkTo } from '../../parts/LinkTo';
import { Loaded } from '../../parts/Loaded';
import { Since } from '../../parts/Time';
import { useSummary } from './queries';

type Summary = Schema<'ConsoleSummary'>;
type Counted = Schema<'CountAndOldest'>;

/** Items of the summary in their order, each with the screen that shows its rows. */
const ITEMS: { name: Exclude<keyof Summary, 'last_ledger_check'>; label: string; href: string }[] = [
  { name: 'remittance_flags', label: 'Flagged remittances', href: '/console/remittances?status=needs_reconciliation' },
  { name: 'money_cases', label: 'Money cases', href: '/console/money-cases' },
  { name: 'unmatched_payments', label: 'Unmatched payments', href: '/console/unmatched-payments' },
  { name: 'disputes_due', label: 'Disputes with evidence due', href: '/console/disputes' },
  { name: 'approvals', label: 'Approvals that you may decide', href: '/console/approvals' },
  {
    name: 'ending_freezes',
    label: 'Freezes that end within 48 hours',
    href: '/console/approvals?kind=plan&ordering=expires_at',
  },
  { name: 'outbox', label: 'Processes that wait to be started', href: '/console/processes?status=waiting' },
  {
    name: 'organizations_without_admin',
    label: 'Organizations without an admin',
    href: '/console/platform?without_admin=true',
  },
];

const CHECK_TYPES = { passed: 'success', failed: 'error', running: 'in-progress', cancelled: 'stopped' } as const;
const CHECK_WORDS = { passed: 'Passed', failed: 'Failed', running: 'Running', cancelled: 'Cancelled' } as const;

/** Everything that waits for a decision or a repair, with its count and the age of the oldest. */
export function Waiting() {
  const query = useSummary();
  return (
    <Container header={<Header variant="h2">Waiting for a decision</Header>}>
      <Loaded query={query}>
        {(summary) => {
          const items = ITEMS.flatMap(({ name, ...item }) => {
            const counted = summary[name];
            return counted ? [{ ...item, counted }] : [];
          });
          const check = summary.last_ledger_check;
          return (
            <KeyValuePairs
              columns={3}
              items={[
                ...items.map(({ label, href, counted }) => ({
                  label,
                  value: <Count href={href} counted={counted} label={label} />,
                })),
                ...(check
                  ? [
                      {
                        label: 'Last ledger check',
                        value: (
                          <>
                            <StatusIndicator type={CHECK_TYPES[check.status]}>
                              {CHECK_WORDS[check.status]}
                            </StatusIndicator>
                            <Box color="text-body-secondary">
                              <LinkTo href={`/console/ledger-checks/${check.id}`}>
                                <Since at={check.started_at} />
                              </LinkTo>
                            </Box>
                          </>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          );
        }}
      </Loaded>
    </Container>
  );
}

function Count({ href, counted: { count, oldest_at }, label }: { href: string; counted: Counted; label: string }) {
  if (count === 0) return <StatusIndicator type="success">None</StatusIndicator>;
  return (
    <>
      <LinkTo href={href} fontSize="display-l" ariaLabel={`${count} ${label}`}>
        {count}
      </LinkTo>
      {oldest_at && (
        <Box color="text-body-secondary">
          oldest <Since at={oldest_at} />
        </Box>
      )}
    </>
  );
}
