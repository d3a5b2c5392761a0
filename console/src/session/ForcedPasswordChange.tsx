import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import { ME_KEY } from './me';
import { NarrowPage } from './NarrowPage';
import { PasswordChangeForm } from './PasswordChangeForm';

/** The page for a person whose password an admin has set: they must choose their own first. */
export function ForcedPasswordChange() {
  const queries = useQueryClient();
  return (
    <NarrowPage title="Choose a password">
      <Container header={<Header variant="h1">Choose a password</Header>}>
        <SpaceBetween size="m">
          <Box>An administrator gave you a temporary password. Choose your own to go on.</Box>
          <PasswordChangeForm onChanged={() => void queries.refetchQueries({ queryKey: ME_KEY })} />
        </SpaceBetween>
      </Container>
    </NarrowPage>
  );
}
