import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { NarrowPage } from '../../session/NarrowPage';

/** A page to which a mail links. */
export function MailedPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <NarrowPage title={title}>
      <Container header={<Header variant="h1">{title}</Header>}>
        <SpaceBetween size="m">{children}</SpaceBetween>
      </Container>
    </NarrowPage>
  );
}

/** The secret of the link. */
export function useToken(): string {
  const { token = '' }: { token?: string } = useSearch({ strict: false });
  return token;
}
