import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { Page } from '../../parts/Page';
import { PasswordChange } from './PasswordChange';
import { Addresses } from './Addresses';
import { Passkeys } from './Passkeys';
import { SecurityEvents } from './SecurityEvents';
import { Sessions } from './Sessions';

/** The person's own account: passkeys, password, sessions, addresses, and what has happened to it. */
export function SecurityScreen() {
  return (
    <Page title="Account and security">
      <Passkeys />
      <Container header={<Header variant="h2">Password</Header>}>
        <PasswordChange />
      </Container>
      <Addresses />
      <Sessions />
      <SecurityEvents />
    </Page>
  );
}
