import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import type { Me } from '../session/me';
import { NarrowPage } from '../session/NarrowPage';
import { TopBar } from './TopBar';

/** What members and impersonated sessions see. */
export function NoOffice({ me }: { me: Me }) {
  const text = me.impersonation
    ? 'The console is closed while you act as another person. End the impersonation first.'
    : 'The console is for officers and administrators, and you have no such office in this organization.';
  return (
    <>
      <div id="header">
        <TopBar me={me} />
      </div>
      <NarrowPage title="Membership console">
        <Container header={<Header variant="h1">Membership console</Header>}>
          <Box>{text}</Box>
        </Container>
      </NarrowPage>
    </>
  );
}
