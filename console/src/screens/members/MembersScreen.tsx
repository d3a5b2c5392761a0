import Button from '@cloudscape-design/components/button';
import { ChapterSelect } from '../../parts/ChapterSelect';
import { FilterSelect } from '../../parts/FilterSelect';
import { Page } from '../../parts/Page';
import { TextFilter } from '../../parts/TextFilter';
import { useFilters } from '../../parts/useFilters';
import { useScreens } from '../../parts/useScreens';
import { audiencesOf, useMe } from '../../session/me';
import { FoundMembers } from './FoundMembers';
import { ROLE_LABELS, STATUS_LABELS } from './labels';
import { Roster } from './Roster';

const ORDERS = {
  '-joined_date': 'Joined last first',
  graduation_year: 'By graduation',
  status: 'By status',
  role: 'By role',
};

/** The roster of a chapter; without a chapter, a search by name in all chapters that the person sees. */
export function MembersScreen() {
  const [filters, change] = useFilters();
  const { open } = useScreens();
  const ownChapter = useOwnChapter();
  const chapter = filters['chapter'] ?? ownChapter;
  const actions = (
    <Button onClick={() => open(`/console/members/add${chapter === '' ? '' : `?chapter=${chapter}`}`)}>
      Add a member
    </Button>
  );
  return (
    <Page title="Members">
      <div className="filters">
        <ChapterSelect
          label="Chapter"
          none={ownChapter === '' ? 'All chapters: search by name' : 'My chapter'}
          value={chapter}
          onChange={(id) => change({ chapter: id })}
        />
        <TextFilter label="Search" name="search" placeholder="Name or address, then Enter" />
        {chapter !== '' && (
          <>
            <FilterSelect label="Status" name="status" all="Any status" options={STATUS_LABELS} />
            <FilterSelect label="Role" name="role" all="Any role" options={ROLE_LABELS} />
            <TextFilter label="Graduation year" name="graduation_year" placeholder="For example 2027" />
            <FilterSelect label="Order" name="ordering" all="By name" options={ORDERS} />
          </>
        )}
      </div>
      {chapter === '' ? <FoundMembers actions={actions} /> : <Roster chapter={chapter} actions={actions} />}
    </Page>
  );
}

/** The chapter with which the screen opens: for people whose office is in one chapter. Empty for others. */
function useOwnChapter(): string {
  const { data: me } = useMe();
  if (!me) return '';
  const audiences = audiencesOf(me);
  if (audiences.has('organization_admin') || audiences.has('regional_admin')) return '';
  return me.memberships.find(({ role }) => role === 'officer' || role === 'president')?.chapter ?? '';
}
