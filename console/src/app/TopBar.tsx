import TopNavigation, { type TopNavigationProps } from '@cloudscape-design/components/top-navigation';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import { RequestFailed, send } from '../api/send';
import { Failure } from '../parts/Failure';
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
  const { menu: personMenu, error } = usePersonMenu(me);
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
      {Boolean(error) && <Failure error={error} />}
      {isChoosing && <TenantDialog onClose={() => setChoosing(false)} />}
    </>
  );
}

/** The menu, and why its last action has failed. */
function usePersonMenu({ user, organization }: Me): { menu: TopNavigationProps.Utility; error: unknown } {
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
  const leave = useMutation({
    mutationFn: (id: string): Promise<unknown> => (id === 'sign-out' ? signOut() : switchTo(id)),
    // The page loads again, so that nothing of the session or the organization stays in memory.
    onSuccess: () => window.location.assign('/console/'),
  });
  const menu: TopNavigationProps.Utility = {
    type: 'menu-dropdown',
    iconName: 'user-profile',
    text: name,
    description: user.email,
    items: [
      { id: 'security', text: 'Account and security' },
      // Platform admins choose an organization instead.
      ...(others.length > 0 && !user.is_platform_admin
        ? [{ text: 'Switch organization', items: others.map((other) => ({ id: other.id, text: other.name })) }]
        : []),
      { id: 'sign-out', text: 'Sign out' },
    ],
    onItemClick: ({ detail: { id } }) => (id === 'security' ? open('/account/security') : leave.mutate(id)),
  };
  return { menu, error: leave.error };
}

async function signOut(): Promise<void> {
  const result = await client.POST('/api/auth/logout/');
  const hasEnded = result.ok || (result.kind === 'refused' && result.status === 401);
  if (!hasEnded) throw new RequestFailed(result);
}

const switchTo = (organization: string) =>
  send(() => client.POST('/api/auth/switch-organization/', { body: { organization } }));
