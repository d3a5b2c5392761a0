import AppLayoutToolbar from '@cloudscape-design/components/app-layout-toolbar';
import Link from '@cloudscape-design/components/link';
import SideNavigation from '@cloudscape-design/components/side-navigation';
import { Outlet, useMatches } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { chosenTenant } from '../api/tenant';
import { Failure } from '../parts/Failure';
import { Loading } from '../parts/Loaded';
import { useScreens } from '../parts/useScreens';
import { ForcedPasswordChange } from '../session/ForcedPasswordChange';
import { audiencesOf, type Me, useMe } from '../session/me';
import { NarrowPage } from '../session/NarrowPage';
import { SignInPage } from '../session/SignInPage';
import { ChooseOrganization } from './ChooseOrganization';
import { Notices } from './Notices';
import { NAVIGATION } from './navigation';
import { NoOffice } from './NoOffice';
import { TopBar } from './TopBar';
import { useOrganizationTheme } from './useOrganizationTheme';

const START = '/console';

/** The frame of all screens of the console: for people with an office in the organization. */
export const ConsoleFrame = () => (
  <SignedIn>{(me) => (audiencesOf(me).size > 0 ? <Frame me={me} navigates /> : <NoOffice me={me} />)}</SignedIn>
);

/** The frame of the screens about the person's own account. */
export const OwnFrame = () => <SignedIn>{(me) => <Frame me={me} navigates={audiencesOf(me).size > 0} />}</SignedIn>;

/** Shows its content to a person with a session and an own password; asks others for these first. */
function SignedIn({ children }: { children: (me: Me) => ReactNode }) {
  const { data: me, error, refetch } = useMe();
  if (me === null) return <SignInPage />;
  if (me?.user.must_change_password) return <ForcedPasswordChange />;
  if (me) return children(me);
  return (
    <NarrowPage title="Membership console">
      {error ? <Failure error={error} retry={() => void refetch()} /> : <Loading />}
      {error && chosenTenant() !== undefined && <Link href={START}>Open the console without this organization</Link>}
    </NarrowPage>
  );
}

function Frame({ me, navigates }: { me: Me; navigates: boolean }) {
  const { open, addressOf } = useScreens();
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname.replace(/\/$/, '') ?? '' });
  const [isNavigationOpen, setNavigationOpen] = useState(() => window.matchMedia('(min-width: 1024px)').matches);
  useOrganizationTheme(me.organization?.id);
  const audiences = audiencesOf(me);
  const entries = NAVIGATION.filter((entry) => entry.audiences.some((audience) => audiences.has(audience)));
  const active = NAVIGATION.find(
    ({ href }) => pathname === href || (href !== START && pathname.startsWith(`${href}/`)),
  );
  const isOfConsole = pathname.startsWith(START);
  const needsOrganization = isOfConsole && !me.organization && !active?.audiences.includes('platform_admin');
  return (
    <>
      <div id="header">
        <TopBar me={me} />
      </div>
      <AppLayoutToolbar
        headerSelector="#header"
        toolsHide
        navigationHide={!navigates}
        navigationOpen={isNavigationOpen}
        onNavigationChange={({ detail }) => setNavigationOpen(detail.open)}
        ariaLabels={{
          navigation: 'Main navigation',
          navigationClose: 'Close navigation',
          navigationToggle: 'Open navigation',
        }}
        navigation={
          <SideNavigation
            activeHref={active ? addressOf(active.href) : ''}
            items={entries.map(({ label, href }) => ({ type: 'link', text: label, href: addressOf(href) }))}
            onFollow={(event) => {
              event.preventDefault();
              open(event.detail.href);
            }}
          />
        }
        notifications={<Notices me={me} />}
        content={needsOrganization ? <ChooseOrganization /> : <Outlet key={pathname} />}
      />
    </>
  );
}
