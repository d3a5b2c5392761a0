import Box from '@cloudscape-design/components/box';
import { LinkTo } from '../../parts/LinkTo';
import { Page } from '../../parts/Page';

/** For an address without a screen, for example one to which a notification leads and that only the app has. */
export function MissingScreen() {
  return (
    <Page title="No screen here">
      <Box>The console has no screen for this address. You may find it in the app.</Box>
      <LinkTo href="/console">Go to the start</LinkTo>
    </Page>
  );
}
