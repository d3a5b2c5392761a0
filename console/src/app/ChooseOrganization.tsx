import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { useState } from 'react';
import { Page } from '../parts/Page';
import { TenantDialog } from './TenantDialog';

/** Replaces a screen about one organization while a platform admin has chosen none. */
export function ChooseOrganization() {
  const [isChoosing, setChoosing] = useState(false);
  return (
    <Page title="Choose an organization">
      <Box>This screen is about one organization.</Box>
      <Button variant="primary" onClick={() => setChoosing(true)}>
        Choose an organization
      </Button>
      {isChoosing && <TenantDialog onClose={() => setChoosing(false)} />}
    </Page>
  );
}
