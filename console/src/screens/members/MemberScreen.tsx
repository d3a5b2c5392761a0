import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useParams } from '@tanstack/react-router';
import { useChapter } from '../../parts/ChapterSelect';
import { Day } from '../../parts/Day';
import { Failure } from '../../parts/Failure';
import { Loaded } from '../../parts/Loaded';
import { Page } from '../../parts/Page';
import { Time } from '../../parts/Time';
import { audiencesOf, useMe } from '../../session/me';
import { words } from '../processes/kinds';
import { INVITATION_LABELS, ROLE_LABELS, STATUS_LABELS } from './labels';
import { type Member, useInviteAgain, useMember } from './queries';
import { Transfer } from './Transfer';

/** One membership: its facts, its transfer, and its invitation. */
export function MemberScreen() {
  const { id = '' } = useParams({ strict: false });
  const query = useMember(id);
  const { data: me } = useMe();
  // Others request a transfer, for which the console has no screen.
  const isAdmin = me ? audiencesOf(me).has('organization_admin') : false;
  const member = query.data;
  return (
    <Page title={member ? `${member.first_name} ${member.last_name}` : 'Member'}>
      <Loaded query={query}>
        {(loaded) => (
          <>
            <Container header={<Header variant="h2">Membership</Header>}>
              <Facts member={loaded} />
            </Container>
            {loaded.invitation && <Invitation member={loaded} />}
            {isAdmin && <Transfer key={loaded.id} member={loaded} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Facts({ member }: { member: Member }) {
  const chapter = useChapter(member.chapter);
  const graduation = [member.graduation_season && words(member.graduation_season.toLowerCase()), member.graduation_year]
    .filter(Boolean)
    .join(' ');
  const items = [
    { label: 'Chapter', value: chapter.data?.name ?? '–' },
    { label: 'Status', value: STATUS_LABELS[member.status] },
    { label: 'Role', value: ROLE_LABELS[member.role] },
    { label: 'E-mail address', value: member.email },
    { label: 'Telephone', value: member.phone_number },
    { label: 'Joined', value: member.joined_date && <Day on={member.joined_date} /> },
    { label: 'Graduation', value: graduation },
    { label: 'Pledge class', value: member.pledge_class },
    { label: 'Line number', value: member.line_number },
    {
      label: 'Crossed',
      value: member.crossing_date ? <Day on={member.crossing_date} /> : member.crossing_semester,
    },
  ];
  return <KeyValuePairs columns={3} items={items.filter(({ value }) => value !== null && value !== '')} />;
}

function Invitation({ member: { id, invitation } }: { member: Member }) {
  const invite = useInviteAgain(id);
  if (!invitation) return null;
  const { state, mailed_at, expires_at } = invitation;
  return (
    <Container header={<Header variant="h2">Invitation</Header>}>
      <SpaceBetween size="m">
        <KeyValuePairs
          columns={3}
          items={[
            { label: 'State', value: INVITATION_LABELS[state] },
            { label: 'Mailed', value: mailed_at ? <Time at={mailed_at} /> : 'With an earlier invitation of that day' },
            { label: 'Valid until', value: <Time at={expires_at} /> },
          ]}
        />
        {invite.error && <Failure error={invite.error} />}
        <Button loading={invite.isPending} onClick={() => invite.mutate()}>
          Mail the invitation again
        </Button>
      </SpaceBetween>
    </Container>
  );
}
