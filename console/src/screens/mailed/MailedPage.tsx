import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { NarrowPage } from '../../session/NarrowPage';

interface MailedPageProps {
  title: string;
  /** The secret of the link, for a page that needs one. */
  token?: string;
  children: ReactNode;
}

/** A page to which a mail links. */
export function MailedPage({ title, token, children }: MailedPageProps) {
  return (
    <NarrowPage title={title}>
      <Container header={<Header variant="h1">{title}</Header>}>
        <SpaceBetween size="m">
          {token === '' ? (
            <Alert type="error">The address is incomplete. Open the link of the mail again.</Alert>
          ) : (
            children
          )}
        </SpaceBetween>
      </Container>
    </NarrowPage>
  );
}

/** The secret of the link. */
export function useToken(): string {
  const { token = '' }: { token?: string } = useSearch({ strict: false });
  return token;
}
