import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../../parts/Failure';
import { Loaded } from '../../parts/Loaded';

interface OwnRowsProps<Row> {
  title: string;
  actions?: ReactNode;
  query: UseQueryResult<{ results: Row[] }>;
  /** Failure of the last action on a row. */
  error?: unknown;
  empty: string;
  /** What is below the rows, for example a form that adds one. */
  footer?: ReactNode;
  children: (row: Row) => ReactNode;
}

/** A short list of the person's own rows. */
export function OwnRows<Row extends { id: string }>(props: OwnRowsProps<Row>) {
  const { title, actions, query, error, empty, footer, children } = props;
  return (
    <Container
      header={
        <Header variant="h2" actions={actions}>
          {title}
        </Header>
      }
    >
      <SpaceBetween size="m">
        {Boolean(error) && <Failure error={error} />}
        <Loaded query={query}>
          {({ results }) =>
            results.length === 0 ? (
              <Box color="text-body-secondary">{empty}</Box>
            ) : (
              <SpaceBetween size="m">
                {results.map((row) => (
                  <div key={row.id}>{children(row)}</div>
                ))}
              </SpaceBetween>
            )
          }
        </Loaded>
        {footer}
      </SpaceBetween>
    </Container>
  );
}
