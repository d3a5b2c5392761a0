import Alert, { type AlertProps } from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { useLocation, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { LinkTo } from '../../parts/LinkTo';
import { Loaded } from '../../parts/Loaded';
import { Page } from '../../parts/Page';
import { words } from '../processes/kinds';
import { Decide } from './Decide';
import { useApproval, useRequest } from './queries';
import { KINDS, QUEUES } from './queues';
import { RequestFacts } from './RequestFacts';

/** One request: what it says, and its decision. The first part of the path below the console names the queue. */
export function ApprovalScreen() {
  const { id = '' } = useParams({ strict: false });
  const path = useLocation({ select: ({ pathname }) => pathname.split('/').at(-2) });
  const kind = KINDS.find((name) => QUEUES[name].path === path) ?? 'account';
  const approval = useApproval(kind, id);
  const request = useRequest(kind, id);
  const [status, setStatus] = useState<string | null>(null);
  const title = approval.data?.title ?? `Request: ${QUEUES[kind].label}`;
  return (
    <Page title={title} description={QUEUES[kind].label}>
      {status !== null && <Decided status={status} />}
      <Loaded query={approval}>
        {(pending) =>
          pending ? (
            <Decide key={pending.tier} approval={pending} version={request.data?.version} onDecided={setStatus} />
          ) : (
            status === null && <Box>The request does not wait for a decision.</Box>
          )
        }
      </Loaded>
      <Container header={<Header variant="h2">Request</Header>}>
        <Loaded query={request}>
          {(detail) => (detail ? <RequestFacts detail={detail} /> : <Box>Its details are shown while it waits.</Box>)}
        </Loaded>
      </Container>
    </Page>
  );
}

/** What the API has answered to a decision. It gets the focus, and leads back to the inbox. */
function Decided({ status }: { status: string }) {
  const alert = useRef<AlertProps.Ref>(null);
  useEffect(() => alert.current?.focus(), [status]);
  return (
    <Alert ref={alert} type="success" header={`The request is now: ${words(status).toLowerCase()}`}>
      <LinkTo href="/console/approvals">All pending requests</LinkTo>
    </Alert>
  );
}
