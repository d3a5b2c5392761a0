import { useMe, audiencesOf } from '../../session/me';
import { Page } from '../../parts/Page';
import { StuckProcesses } from './StuckProcesses';
import { Waiting } from './Waiting';

/** What waits for the person: stuck processes first, then everything else as links to its screen. */
export function StartScreen() {
  const { data: me } = useMe();
  const audiences = me ? audiencesOf(me) : new Set();
  return (
    <Page title={`What waits for you`}>
      {(audiences.has('organization_admin') || audiences.has('platform_admin')) && <StuckProcesses />}
      <Waiting />
    </Page>
  );
}
