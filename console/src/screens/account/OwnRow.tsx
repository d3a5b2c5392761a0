import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';

interface OwnRowProps {
  name: ReactNode;
  details: ReactNode;
  actions: ReactNode;
}

/** A row of the person's own: what it is, and what can be done with it. */
export const OwnRow = ({ name, details, actions }: OwnRowProps) => (
  <SpaceBetween size="xxs">
    <Box variant="strong">{name}</Box>
    <Box color="text-body-secondary">{details}</Box>
    <SpaceBetween direction="horizontal" size="xs">
      {actions}
    </SpaceBetween>
  </SpaceBetween>
);
