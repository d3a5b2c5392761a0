import TopNavigation, { type TopNavigationProps } from '@cloudscape-design/components/top-navigation';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import { send } from '../api/send';
import { useScreens } from '../parts/useScreens';
import type { Me } from '../session/me';
import { chooseDisplayMode, chosenDisplayMode, type DisplayMode } from './displayMode';
import { TenantDialog } from './TenantDialog';

const MODES: Record<DisplayMode, string> = { system: 'As the system', light: 'Light', dark: 'Dark' };

/** The bar above all screens: organization, light or dark, and the menu of the person. */
export function TopBar({ me }: { me: Me }) {
  const { open, addressOf } = useScreens();
  const [isChoosing, setChoosing] = useState(false);
  const [mode, setMode] = useState(chosenDisplayMode);
  const choose = (chosen: DisplayMode): void => {
    chooseDisplayMode(chosen);
    setMode(chosen);
  };
  const display: TopNavigationProps.Utility = {
    type: 'menu-dropdown',
    iconName: 'settings',
    text: 'Display',
    ariaLabel: 'Display',
    items: Object.entries(MODES).map(([id, text]) => ({
      itemType: 'checkbox',
      id,
      text,
      checked: id === mode,
    })),
    onItemClick: ({ detail }) => choose(detail.id as DisplayMode),
  };
  const tenant: TopNavigationProps.Utility = {
    type: 'button',
    text: 'Choose an organization',
    onClick: () => setChoosing(true),
  };
  const personMenu = usePersonMenu(me);
  return (
    <>
      <TopNavigation
        identity={{
          href: addressOf('/console'),
          title: me.organization?.name ?? 'Membership console',
          onFollow: (event) => {
            event.preventDefault();
            open('/console');
          },
        }}
        utilities={[...(me.user.is_platform_admin ? [tenant] : []), display, personMenu]}
      />
      {isChoosing && <TenantDialog onClose={() => setChoosing(false)} />}
    </>
  );
}

function usePersonMenu({ user, organization }: Me): TopNavigationProps.MenuDropdownUtility {
  const { open } = useScreens();
  const { data: others = [] } = useQuery({
    queryKey: ['own-organizations'],
    queryFn: async () => {
      const page = await send(() =>
        client.GET('/api/auth/me/organizations/', { params: { query: { page_size: 100 } } }),
      );
      return page.results.filter(({ id }) => id !== organization?.id);
    },
    staleTime: Infinity,
  });
  const name = `${user.first_name} ${user.last_name}`.trim() || user.email;
  const act = (id: string): void => {
    if (id === 'security') open('/account/security');
    else if (id === 'sign-out') void signOut();
    else void switchTo(id);
  };
  return {
    type: 'menu-dropdown',
    iconName: 'user-profile',
    text: name,
    description: user.email,
    items: [
      { id: 'security', text: 'Account and security' },
      ...(others.length > 0
        ? [{ text: 'Switch organization', items: others.map((other) => ({ id: other.id, text: other.name })) }]
        : []),
      { id: 'sign-out', text: 'Sign out' },
    ],
    onItemClick: ({ detail }) => act(detail.id),
  };
}

/** Loads the page again afterwards, so that nothing of the session stays in memory. */
async function signOut(): Promise<void> {
  await client.POST('/api/auth/logout/');
  window.location.assign('/console/');
}

async function switchTo(organization: string): Promise<void> {
  await send(() => client.POST('/api/auth/switch-organization/', { body: { organization } }));
  window.location.assign('/console/');
}
