import Button from '@cloudscape-design/components/button';
import Flashbar, { type FlashbarProps } from '@cloudscape-design/components/flashbar';
import type { Me } from '../session/me';
import { usePasskeyCard } from '../session/usePasskeyCard';

/** Notices above every screen: the organization in which a platform admin works, and the card for the first passkey. */
export function Notices({ me }: { me: Me }) {
  const items = [usePasskeyCard(me), tenantNotice(me)].filter((item) => item !== null);
  return items.length > 0 ? <Flashbar items={items} /> : null;
}

function tenantNotice({ user, organization }: Me): FlashbarProps.MessageDefinition | null {
  if (!user.is_platform_admin || !organization) return null;
  return {
    id: 'tenant',
    type: 'info',
    content: `You work in ${organization.name} as a platform administrator.`,
    action: <Button onClick={() => window.location.assign('/console/')}>Leave</Button>,
  };
}
