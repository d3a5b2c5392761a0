import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import { ME_KEY } from './me';
import { NarrowPage } from './NarrowPage';
import { SignInForm } from './SignInForm';

/** The page for a browser without a session. It is shown at the address that was opened, which stays. */
export function SignInPage({ onSignedIn }: { onSignedIn?: () => void }) {
  const queries = useQueryClient();
  const signedIn = async (): Promise<void> => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME_KEY[0] });
    await queries.refetchQueries({ queryKey: ME_KEY });
    onSignedIn?.();
  };
  return (
    <NarrowPage title="Sign in" keepsFocus>
      <Container header={<Header variant="h1">Sign in</Header>}>
        <SpaceBetween size="l">
          <SignInForm onSignedIn={() => void signedIn()} />
          <Link href="/auth/forgot-password">Forgot your password?</Link>
        </SpaceBetween>
      </Container>
    </NarrowPage>
  );
}
